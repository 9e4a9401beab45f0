import { expect, test } from "vitest";
import { type Cost, CostlyCalls } from "./costly-calls.ts";

const BOUNDS = { inFlight: 2, waiting: 3, waitMs: 60_000 };

/** Calls that run until the test ends them. */
function openCalls(bounds = BOUNDS) {
  const calls = new CostlyCalls(bounds);
  const running: string[] = [];
  const ends = new Map<string, () => void>();
  const begin = (name: string, person = "ann", cost: Cost = "costly") => {
    const call = calls.run(person, cost, () => {
      running.push(name);
      const { promise, resolve } = Promise.withResolvers<string>();
      ends.set(name, () => {
        running.splice(running.indexOf(name), 1);
        resolve(name);
      });
      return promise;
    });
    // What a test leaves waiting is refused a minute later, while another file's tests run.
    call.catch(() => {});
    return call;
  };
  return { calls, running, begin, end: (name: string) => ends.get(name)!() };
}

test("two costly calls of a user run at a time, the others in order of arrival, and other users do not wait for them", async () => {
  const { running, begin, end } = openCalls();
  const all = ["a", "b", "c", "d"].map((name) => begin(name));
  void begin("bob's", "bob");
  void begin("cheap", "ann", "cheap");
  await expect.poll(() => running.toSorted()).toEqual(["a", "b", "bob's", "cheap"]);
  end("b");
  await expect.poll(() => running.toSorted()).toEqual(["a", "bob's", "c", "cheap"]);
  for (const name of ["a", "c"]) end(name);
  await expect.poll(() => running.toSorted()).toContain("d");
  end("d");
  expect(await Promise.all(all)).toEqual(["a", "b", "c", "d"]);
});

test("the queue is limited in length and time: the next call is refused with a message", async () => {
  const { begin } = openCalls({ ...BOUNDS, waiting: 1 });
  const late = openCalls({ ...BOUNDS, waitMs: 1 });
  for (const name of ["a", "b"]) void late.begin(name);
  for (const name of ["a", "b", "waits"]) void begin(name);
  for (const refused of [begin("one too many"), late.begin("waits too long")])
    await expect(refused).rejects.toMatchObject({ code: "TOO_MANY_REQUESTS", message: expect.stringMatching(/take long are under way/) });
});

test("one preview of a user runs at a time, and waiting ones take no slot of other calls", async () => {
  const { running, begin, end } = openCalls();
  for (const name of ["first", "second", "third"]) void begin(name, "ann", "preview");
  void begin("list");
  await expect.poll(() => running.toSorted()).toEqual(["first", "list"]);
  end("first");
  await expect.poll(() => running.toSorted()).toEqual(["list", "second"]);
});

test("a failed call releases its slot", async () => {
  const { calls } = openCalls({ ...BOUNDS, inFlight: 1, waiting: 0 });
  const fails = () => calls.run("ann", "preview", () => Promise.reject(new Error("broken")));
  await expect(fails()).rejects.toThrow("broken");
  await expect(fails()).rejects.toThrow("broken");
});
