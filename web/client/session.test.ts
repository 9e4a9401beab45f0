import { ORPCError } from "@orpc/client";
import { expect, test } from "vitest";
import { PageSession } from "./session.ts";

const signedOut = () => new ORPCError("UNAUTHORIZED", { message: "Your session ended. Sign in to continue." });

/** A page rendered for Ann; `signedIn` is the user of the session cookie. */
function page() {
  const service = { signedIn: "ann@example.com" as string | null, saved: [] as string[] };
  const session = new PageSession(async () => {
    if (service.signedIn === null) throw signedOut();
    return service.signedIn;
  });
  session.begin("ann@example.com");
  /** The service's answer to a call that claims to come from Ann's page. */
  const make = (text: string) => async () => {
    if (service.signedIn !== "ann@example.com") throw signedOut();
    service.saved.push(text);
    return text;
  };
  const save = (text: string) => session.call(make(text), { isRead: false });
  const read = () => session.call(make("read"), { isRead: true });
  const become = (kind: string) => expect.poll(() => session.state.kind).toBe(kind);
  return { service, session, save, read, become };
}

test("calls wait while the session has ended, and are made once after the same person has signed in again", async () => {
  const { service, session, save, read, become } = page();
  service.signedIn = null;
  const calls = [save("one"), save("two"), read()];
  await become("ended");
  await session.look();
  expect([session.state.kind, service.saved]).toEqual(["ended", []]);
  service.signedIn = "ann@example.com";
  await session.look();
  expect(await Promise.all(calls)).toEqual(["one", "two", "read"]);
  expect(service.saved).toEqual(["one", "two", "read"]);
  expect(session.state.kind).toBe("signedIn");
});

test("no call runs in another user's name", async () => {
  const { service, session, save, become } = page();
  service.signedIn = "bob@example.com";
  const saving = save("Ann's");
  await become("anotherUser");
  await session.look();
  expect(session.state).toEqual({ kind: "anotherUser", email: "bob@example.com" });
  expect(service.saved).toEqual([]);
  service.signedIn = "ann@example.com";
  await session.look();
  expect(await saving).toBe("Ann's");
});

test("calls that waited on one user's page do not run on the next user's page", async () => {
  const { service, session, become } = page();
  service.signedIn = null;
  // The service treats the call as coming from the page's user.
  const make = async () => (service.signedIn === null ? Promise.reject(signedOut()) : void service.saved.push("Ann's"));
  const saving = session.call(make, { isRead: false }).catch((error: Error) => error.message);
  await become("ended");
  session.begin("bob@example.com");
  service.signedIn = "bob@example.com";
  await session.look();
  expect([await saving, service.saved]).toEqual(["Your session ended. Sign in to continue.", []]);
});

test("postponed: waiting calls fail, queries stop, and the user's next action asks again", async () => {
  const { service, session, save, read, become } = page();
  service.signedIn = null;
  const saving = save("first").catch((error: Error) => error.message);
  await become("ended");
  session.postpone();
  expect(await saving).toBe("Your session ended. Sign in to continue.");
  await expect(read()).rejects.toThrow("Sign in");
  expect(session.state.kind).toBe("postponed");
  const again = save("second");
  await become("ended");
  service.signedIn = "ann@example.com";
  await session.look();
  expect(await again).toBe("second");
});

test("other refusals pass through, and a service that keeps refusing is not retried forever", async () => {
  const { session } = page();
  await expect(session.call(() => Promise.reject(new ORPCError("FORBIDDEN")), { isRead: false })).rejects.toMatchObject({
    code: "FORBIDDEN",
  });
  let calls = 0;
  const refusing = session.call(() => Promise.reject(++calls && signedOut()), { isRead: false });
  await expect(refusing).rejects.toMatchObject({ code: "UNAUTHORIZED" });
  expect(calls).toBe(5);
});
