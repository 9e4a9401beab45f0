import { beforeAll, describe, expect, test } from "vitest";
import { testDatabase, testProject } from "#db/testing.ts";
import { signedIn } from "../../api/testing/signed-in.ts";
import { ChangeRequested, MAX_OPEN_REQUESTS, MAX_OPEN_REQUESTS_OF_ONE } from "../../model/definitions/change-requests.ts";
import { mission, points, withMission } from "../../model/definitions/testing/in-memory.ts";
import type { Mail } from "../../model/identity/mails.ts";
import { mailDue } from "../../people/notices/mailing.ts";
import type { Role } from "../../model/kernel/environment.ts";
import { formatInstant } from "../../model/kernel/time.ts";
import { applyChange } from "./service/apply-change.ts";
import { REQUEST } from "./service/apply-request.ts";
import { importDefinitions } from "./service/import.ts";
import { applyDueChanges } from "./service/scheduling.ts";

const database = await testDatabase();
const { sql } = database;
const HOUR = 3_600_000;

/** A Live with one mission, whose reward is 5 points, in a project that asks for approvals; and people who work in it. */
async function guarded() {
  const { slug, sandbox, live } = await testProject(database);
  for (const one of [sandbox, live]) expect(await importDefinitions(database, one, withMission())).not.toHaveProperty("problems");
  const scope = { project: slug, environment: "live" as const };
  const person = async (role: Role) => ({ ...(await signedIn(database, slug, role)) });
  const [maker, admin, owner, editor] = [await person("Editor"), await person("Admin"), await person("Owner"), await person("Editor")];
  await admin.rpc.projectSettings.guardLive({ project: slug, isOn: true });
  type Person = typeof maker;
  /** Calls a verb that becomes a request, and returns the request's id. */
  const asked = async (verb: Promise<unknown>): Promise<string> => {
    const error = await verb.then(
      () => null,
      (reason: unknown) => reason,
    );
    if (!(error instanceof ChangeRequested)) throw new Error(`This is no request: ${String(error)}`);
    return error.requestId;
  };
  const save = ({ rpc }: Person, more: object, request = {}) =>
    rpc.definitions.save({ ...scope, kind: "missions", document: JSON.stringify(mission(more)), isNew: false, revision: null, request });
  const ask = (who: Person, amount: number) => asked(save(who, { rewards: points(amount) }));
  const get = async (id: string, { rpc }: Person = admin) => rpc.changeRequests.get({ ...scope, id });
  const approve = async (id: string, who: Person = admin) =>
    who.rpc.changeRequests.approve({ ...scope, id, revision: (await get(id)).revision });
  const rewards = async () => {
    const { document } = await maker.rpc.definitions.get({ ...scope, kind: "missions", key: "m" });
    return (JSON.parse(document) as { rewards: { points: number }[] }).rewards[0]!.points;
  };
  const versions = async () => (await maker.rpc.definitions.history({ ...scope, kind: "missions", key: "m" })).versions;
  const demote = ({ email }: Person, role: Role) =>
    sql`update memberships set live_role = ${role} where user_id = (select id from users where email = ${email})`;
  return { ...{ slug, sandbox, live, scope, maker, admin, owner, editor }, asked, save, ask, get, approve, rewards, versions, demote };
}

describe("a change to Live", () => {
  test("waits for another person, is then made once, and names its author and its approver", async () => {
    const { maker, admin, scope, slug, save, asked, get, approve, rewards, versions } = await guarded();
    const id = await asked(save(maker, { rewards: points(9) }, { title: "More points", reason: "Ask Ann" }));
    expect(await rewards()).toBe(5);
    const shown = await get(id);
    expect(shown).toMatchObject({ title: "More points", reason: "Ask Ann", actor: maker.email, state: "Open", isOwn: false, revision: 1 });
    expect(shown.items).toMatchObject([{ kind: "missions", key: "m", name: "M", sign: "~", differences: [{ before: "5", after: "9" }] }]);
    expect(shown.may).toEqual({ approve: true, goAlone: false, reject: true, withdraw: false, edit: true });
    const { rows } = await maker.rpc.definitions.list({ ...scope, kind: "missions" });
    expect(rows).toMatchObject([{ key: "m", requests: 1 }]);
    await approve(id);
    expect(await rewards()).toBe(9);
    expect((await versions())[0]).toMatchObject({ version: 2, via: "save", by: maker.email, approver: admin.email, requestId: id });
    expect(await get(id)).toMatchObject({ state: "Applied", approver: admin.email });
    expect((await get(id)).events.map(({ action, actor }) => [action, actor])).toEqual([
      ["Requested", maker.email],
      ["Approved", admin.email],
      ["Applied", "the service"],
    ]);
    const { entries } = await admin.rpc.auditLog.list({ project: slug });
    expect(entries.slice(0, 4).map(({ action }) => action)).toEqual(["apply", "update", "approve", "request"]);
    const cups = { kind: "marketplaceCollections" as const, document: JSON.stringify({ key: "cups", name: "Cups", items: [] }) };
    const unnamed = await asked(maker.rpc.definitions.save({ ...scope, ...cups, isNew: true, revision: null }));
    expect((await get(unnamed)).title, "in the words of the screens").toBe("Create listing collection Cups");
  });

  test("asked for again by the same person in the same words is the same request, until that is decided", async () => {
    const { maker, admin, scope, ask, approve } = await guarded();
    const id = await ask(maker, 9);
    expect(await Promise.all([ask(maker, 9), ask(maker, 9)])).toEqual([id, id]);
    const others = [await ask(admin, 9), await ask(maker, 8)];
    expect(new Set([id, ...others]).size).toBe(3);
    expect((await admin.rpc.changeRequests.list(scope)).requests).toHaveLength(3);
    await admin.rpc.changeRequests.reject({ ...scope, id, revision: 1, reason: "No" });
    const again = await ask(maker, 9);
    expect(again).not.toBe(id);
    await approve(again);
  });

  test("is approved by Owners, Admins and chosen Editors, never by its author or last editor", async () => {
    const { maker, admin, editor, slug, scope, ask, get, approve, rewards, demote } = await guarded();
    const id = await ask(maker, 9);
    await expect(approve(id, maker)).rejects.toThrow("Change requests are decided by Owners, Admins");
    await expect(approve(id, editor)).rejects.toThrow("Change requests are decided by Owners, Admins");
    const { members } = await admin.rpc.members.list({ project: slug });
    for (const { email } of [maker, editor]) {
      const { id: membership, role, liveRole } = members.find((one) => one.email === email)!;
      await admin.rpc.members.changeRole({ project: slug, id: membership, role, liveRole, approves: true });
    }
    await expect(approve(id, maker)).rejects.toThrow("Another person has to approve it");
    await admin.rpc.changeRequests.edit({ ...scope, id, revision: 1, title: "Ten points" });
    await expect(approve(id, admin)).rejects.toThrow("Another person has to approve it");
    await expect(approve(id, maker)).rejects.toThrow("Another person has to approve it");
    expect([(await get(id)).state, await rewards()]).toEqual(["Open", 5]);
    await demote(editor, "Support");
    await expect(approve(id, editor)).rejects.toThrow("This needs the Editor role");
    await demote(editor, "Editor");
    await approve(id, editor);
    expect(await rewards()).toBe(9);
  });

  test("an Admin without that role in Live lets no one approve, and a lower role takes the right back", async () => {
    const { admin, owner, editor, slug, demote } = await guarded();
    const membership = async () => (await owner.rpc.members.list({ project: slug })).members.find(({ email }) => email === editor.email)!;
    const { id } = await membership();
    const change = (rpc: typeof admin.rpc, more: object) =>
      rpc.members.changeRole({ project: slug, id, role: "Editor", liveRole: null, ...more });
    await demote(admin, "Editor");
    await expect(change(admin.rpc, { approves: true })).rejects.toThrow("Only an Owner or Admin of Live");
    await change(owner.rpc, { approves: true });
    expect(await membership()).toMatchObject({ approves: true, mayLetApprove: true });
    await change(owner.rpc, { liveRole: "Viewer" });
    await change(owner.rpc, {});
    expect(await membership()).toMatchObject({ approves: false });
  });

  test("is applied at its instant, and an edit before that needs another approval", async () => {
    const { maker, owner, admin, live, scope, asked, get, approve, rewards } = await guarded();
    const at = formatInstant(Date.now() + HOUR);
    const document = JSON.stringify(mission({ rewards: points(9) }));
    const { revision } = await maker.rpc.definitions.get({ ...scope, kind: "missions", key: "m" });
    const id = await asked(maker.rpc.definitions.scheduleSave({ ...scope, kind: "missions", document, revision, at }));
    await approve(id);
    expect([(await get(id)).state, (await get(id)).dueAt, await rewards()]).toEqual(["Approved", at, 5]);
    const { approvals } = await admin.rpc.projects.place({ project: scope.project });
    expect(approvals, "an approved one waits for no one").toMatchObject({ waiting: 1, undecided: 0 });
    const definition = { kind: "missions" as const, document: JSON.stringify(mission({ rewards: points(7) })) };
    expect(await maker.rpc.changeRequests.edit({ ...scope, id, revision: 1, definition })).toEqual({ problems: [], revision: 2 });
    await expect(admin.rpc.changeRequests.approve({ ...scope, id, revision: 1 })).rejects.toThrow("has changed since you read it");
    expect(await get(id)).toMatchObject({ state: "Open", approver: null, items: [{ differences: [{ after: "7" }] }] });
    await sql`update change_requests set due_at = now() - interval '1 second' where id = ${id}`;
    expect([await applyDueChanges(database, live.id), await rewards()]).toEqual([0, 5]);
    await approve(id, owner);
    expect([await applyDueChanges(database, live.id), await rewards()]).toEqual([0, 7]);
    const wrong = { kind: "missions" as const, document: JSON.stringify(mission({ rewards: [] })) };
    await expect(maker.rpc.changeRequests.edit({ ...scope, id, revision: 2, definition: wrong })).rejects.toThrow("was applied");
  });

  test("is recorded as scheduled if it is applied at an instant, also where only an edit gave or removed that", async () => {
    const { maker, scope, asked, ask, approve, versions } = await guarded();
    const at = formatInstant(Date.now() + HOUR);
    const document = JSON.stringify(mission({ rewards: points(9) }));
    const { revision } = await maker.rpc.definitions.get({ ...scope, kind: "missions", key: "m" });
    const later = await asked(maker.rpc.definitions.scheduleSave({ ...scope, kind: "missions", document, revision, at }));
    await maker.rpc.changeRequests.edit({ ...scope, id: later, revision: 1, at: null });
    await approve(later);
    const now = await ask(maker, 8);
    await maker.rpc.changeRequests.edit({ ...scope, id: now, revision: 1, at });
    await sql`update change_requests set due_at = now() - interval '1 second' where id = ${now}`;
    await approve(now);
    expect((await versions()).map(({ via }) => via)).toEqual(["scheduled", "save", "import"]);
  });

  test("whose instant passed before the approval is edited with that instant, and applied with its approval", async () => {
    const { maker, admin, scope, ask, get, rewards } = await guarded();
    const id = await ask(maker, 9);
    const at = formatInstant(Date.now() - HOUR);
    await sql`update change_requests set due_at = ${Date.parse(at)}::timestamptz where id = ${id}`;
    await expect(maker.rpc.changeRequests.edit({ ...scope, id, revision: 1, at: formatInstant(Date.now() - 1) })).rejects.toThrow(
      "in the future",
    );
    await maker.rpc.changeRequests.edit({ ...scope, id, revision: 1, title: "Nine points", reason: "Late", at });
    expect(await get(id)).toMatchObject({ title: "Nine points", revision: 2, dueAt: at });
    await admin.rpc.changeRequests.approve({ ...scope, id, revision: 2 });
    expect([(await get(id)).state, await rewards()]).toEqual(["Applied", 9]);
  });

  test("is refused when it is made with problems, and an edit with problems changes nothing", async () => {
    const { maker, scope, ask, get } = await guarded();
    const document = JSON.stringify(mission({ rewards: [{ kind: "CatalogItem", catalogItem: "none", value: 1 }] }));
    const refused = await maker.rpc.definitions.save({ ...scope, kind: "missions", document, isNew: false });
    expect(refused.problems).toMatchObject([{ pointer: "/rewards/0/catalogItem" }]);
    const id = await ask(maker, 9);
    const edited = await maker.rpc.changeRequests.edit({ ...scope, id, revision: 1, definition: { kind: "missions", document } });
    expect(edited).toMatchObject({ revision: 1, problems: [{ pointer: "/rewards/0/catalogItem" }] });
    expect(await get(id)).toMatchObject({ revision: 1, items: [{ differences: [{ after: "9" }] }] });
  });
});

describe("a request that no longer fits", () => {
  test("says so with both sides, is not applied, and fits again once it overwrites the newer changes", async () => {
    const { maker, editor, admin, scope, ask, save, asked, get, approve, rewards } = await guarded();
    const id = await ask(maker, 9);
    const other = await asked(save(editor, { name: "Renamed", rewards: points(6) }));
    await approve(other);
    const shown = await get(id);
    expect(shown.items[0]!.changedSince).toMatchObject({ by: editor.email });
    expect(shown.now).toMatchObject([
      { kind: "missions", key: "m", isGone: false, differences: [{ path: ["name", "texts", "en"] }, { before: "5", after: "6" }] },
    ]);
    await approve(id);
    const conflict = `${editor.email} changed the definition after this was requested.`;
    expect(await get(id)).toMatchObject({ state: "Open", revision: 2, approver: null, failure: conflict });
    expect((await get(id)).events.at(-1)).toMatchObject({ action: "Failed", text: conflict });
    expect(await rewards()).toBe(6);
    await maker.rpc.changeRequests.edit({ ...scope, id, revision: 2, isRefitted: true });
    expect((await get(id)).items).toMatchObject([
      { changedSince: null, differences: [{ before: '"Renamed"' }, { before: "6", after: "9" }] },
    ]);
    await admin.rpc.changeRequests.approve({ ...scope, id, revision: 3 });
    expect(await rewards()).toBe(9);
    const late = await ask(maker, 7);
    await approve(await asked(editor.rpc.definitions.remove({ ...scope, kind: "missions", key: "m" })));
    expect((await get(late)).now, "deleted in Live").toMatchObject([{ key: "m", isGone: true }]);
  });

  test("is open again once its author left, or its approver may not approve any more", async () => {
    const { maker, admin, owner, live, ask, get, approve, rewards, demote } = await guarded();
    const id = await ask(maker, 9);
    await demote(maker, "Viewer");
    await approve(id);
    expect(await get(id)).toMatchObject({ state: "Open", failure: expect.stringContaining(`${maker.email} may no longer change`) });
    await demote(maker, "Editor");
    await sql`update change_requests set due_at = now() + interval '1 hour' where id = ${id}`;
    await approve(id, admin);
    await demote(admin, "Editor");
    await sql`update change_requests set due_at = now() - interval '1 second' where id = ${id}`;
    expect(await applyDueChanges(database, live.id)).toBe(1);
    expect(await get(id)).toMatchObject({ state: "Open", failure: expect.stringContaining(`${admin.email} may no longer approve`) });
    await approve(id, owner);
    expect(await rewards()).toBe(9);
  });

  test("a change with problems by then is kept with them", async () => {
    const { maker, admin, scope, asked, save, get, approve, rewards } = await guarded();
    const id = await asked(save(maker, { rewards: [{ kind: "CatalogItem", catalogItem: "coffee", value: 1 }] }));
    const off = await asked(maker.rpc.definitions.setActive({ ...scope, kind: "catalogItems", key: "coffee", active: false }));
    await approve(off);
    expect((await get(id)).problems).toMatchObject([{ kind: "missions", key: "m" }]);
    await admin.rpc.changeRequests.approve({ ...scope, id, revision: 1 });
    expect([(await get(id)).state, await rewards()]).toEqual(["Open", 5]);
  });
});

describe("a decision", () => {
  test("an Owner goes ahead alone with a reason, which is kept, logged and shown; no one else does", async () => {
    const { owner, admin, slug, scope, ask, get, rewards, versions } = await guarded();
    const own = await ask(owner, 9);
    const input = { ...scope, id: own, revision: 1, reason: "The shop is down" };
    await expect(admin.rpc.changeRequests.goAlone(input)).rejects.toThrow("This needs the Owner role");
    expect((await get(own, owner)).may).toMatchObject({ approve: false, goAlone: true });
    await owner.rpc.changeRequests.goAlone(input);
    expect(await rewards()).toBe(9);
    expect(await get(own)).toMatchObject({ state: "Applied", isAlone: true, approver: owner.email });
    expect((await get(own)).events[1]).toMatchObject({ action: "WentAlone", text: "The shop is down" });
    expect((await versions())[0]).toMatchObject({ by: owner.email, approver: owner.email });
    const { entries } = await admin.rpc.auditLog.list({ project: slug, action: "apply_alone" });
    expect(entries).toMatchObject([{ actor: owner.email }]);
  });

  test("a rejected or withdrawn request is closed for good", async () => {
    const { maker, admin, editor, scope, ask, get, rewards } = await guarded();
    const [rejected, withdrawn] = [await ask(maker, 9), await ask(maker, 8)];
    await admin.rpc.changeRequests.reject({ ...scope, id: rejected, revision: 1, reason: "Too generous" });
    await expect(editor.rpc.changeRequests.withdraw({ ...scope, id: withdrawn })).rejects.toThrow("Only its author can withdraw");
    await maker.rpc.changeRequests.withdraw({ ...scope, id: withdrawn });
    for (const [id, state] of [
      [rejected, "rejected"],
      [withdrawn, "withdrawn"],
    ] as const) {
      await expect(admin.rpc.changeRequests.approve({ ...scope, id, revision: 1 })).rejects.toThrow(`it was ${state}`);
      await expect(maker.rpc.changeRequests.edit({ ...scope, id, revision: 1, title: "Again" })).rejects.toThrow(`it was ${state}`);
      await expect(maker.rpc.changeRequests.comment({ ...scope, id, text: "Why?" })).rejects.toThrow(`it was ${state}`);
    }
    expect((await get(rejected)).events.at(-1)).toMatchObject({ action: "Rejected", text: "Too generous" });
    expect(await rewards()).toBe(5);
    expect((await maker.rpc.changeRequests.list({ ...scope, isClosed: true, limit: 1 })).next).not.toBeNull();
  });

  test("turning the rule off needs another person too", async () => {
    const { admin, owner, maker, slug, scope, asked, approve, save } = await guarded();
    const off = { project: slug, isOn: false };
    const id = await asked(admin.rpc.projectSettings.guardLive(off));
    expect(await asked(owner.rpc.projectSettings.guardLive(off))).toBe(id);
    await expect(approve(id, admin)).rejects.toThrow("Another person");
    expect(await admin.rpc.projectSettings.read({ project: slug })).toMatchObject({ isLiveGuarded: true });
    await approve(id, owner);
    expect(await admin.rpc.projectSettings.read({ project: slug })).toMatchObject({ isLiveGuarded: false });
    expect(await save(maker, { rewards: points(4) })).toMatchObject({ problems: [], isChanged: true });
    expect((await admin.rpc.changeRequests.list(scope)).requests).toEqual([]);
  });
});

test("approvers are notified of a waiting request, its author of the decision, and all approvers when an Owner goes alone", async () => {
  const { maker, admin, owner, editor, slug, scope, ask } = await guarded();
  const { members } = await admin.rpc.members.list({ project: slug });
  const chosen = members.find(({ email }) => email === editor.email)!;
  await admin.rpc.members.changeRole({ project: slug, id: chosen.id, role: "Editor", liveRole: null, approves: true });
  const sent: Mail[] = [];
  const mailer = { send: async (mail: Mail) => sent.push(mail) > 0 };
  const mailed = async () => {
    await sql`update notice_mailings set mailed_at = mailed_at - interval '1 hour'`;
    sent.length = 0;
    while ((await mailDue(database, { mailer, baseUrl: "https://points.test" })) > 0);
    const people = [maker, admin, owner, editor].map(({ email }) => email);
    sent.splice(0, sent.length, ...sent.filter(({ to }) => people.includes(to)));
    return sent.map(({ to, subject }) => [to, subject.split(": ")[1]]).sort();
  };
  const id = await ask(maker, 9);
  const waits = "A change to Live waits for approval";
  expect(await mailed()).toEqual([admin, owner, editor].map(({ email }) => [email, waits]).sort());
  expect(sent[0]!.text).toContain(`https://points.test/dashboard/${slug}/live/requests/${id}`);
  await admin.rpc.changeRequests.reject({ ...scope, id, revision: 1, reason: "Too generous" });
  expect(await mailed()).toEqual([[maker.email, "A change request was decided"]]);
  expect(sent[0]!.text).toContain(`It was rejected by ${admin.email}. Too generous`);
  const alone = await ask(owner, 8);
  await mailed();
  await owner.rpc.changeRequests.goAlone({ ...scope, id: alone, revision: 1, reason: "The shop is down" });
  expect(await mailed()).toEqual([admin, editor].map(({ email }) => [email, "Live was changed without an approval"]).sort());
  expect((await admin.rpc.notices.list({ ...scope, isOpen: true })).notices).toEqual([]);
});

test("a request that could not be applied waits for approval again, and so does its notice", async () => {
  const { maker, admin, owner, scope, ask, get, approve, demote, live } = await guarded();
  const waiting = async () => {
    const { notices } = await admin.rpc.notices.list({ ...scope, isOpen: true });
    return notices.filter(({ kind }) => kind === "ChangeRequested").length;
  };
  const id = await ask(maker, 9);
  await sql`update change_requests set due_at = now() + interval '1 hour' where id = ${id}`;
  await approve(id, owner);
  expect(await waiting()).toBe(0);
  await demote(owner, "Support");
  await sql`update change_requests set due_at = now() - interval '1 second' where id = ${id}`;
  expect(await applyDueChanges(database, live.id)).toBe(1);
  expect(await get(id)).toMatchObject({ state: "Open", revision: 2, failure: `${owner.email} may no longer approve changes to Live.` });
  expect(await waiting()).toBe(1);
  await approve(id, admin);
  expect([(await get(id)).state, await waiting()]).toEqual(["Applied", 0]);
});

test("a request that is edited while an Owner goes ahead alone still waits, and its notice stays open", async () => {
  const { owner, admin, editor, scope, ask, get } = await guarded();
  const id = await ask(owner, 9);
  await sql`update change_requests set due_at = now() + interval '1 hour' where id = ${id}`;
  await owner.rpc.changeRequests.goAlone({ ...scope, id, revision: 1, reason: "The shop is down" });
  await editor.rpc.changeRequests.edit({ ...scope, id, revision: 1, title: "Nine points" });
  // The edit's transaction began first, and waited for the request.
  await sql`update notices set created_at = now() + interval '1 second' where subject_id = ${id} and kind = 'ChangeMadeAlone'`;
  expect(await get(id)).toMatchObject({ state: "Open", revision: 2 });
  const { notices } = await admin.rpc.notices.list({ ...scope, isOpen: true });
  expect(notices).toMatchObject([{ kind: "ChangeRequested" }]);
});

describe("concurrency and crashes", () => {
  test("of an approval and an edit one wins: the approved revision is the one applied", async () => {
    const { maker, admin, scope, ask, get, rewards } = await guarded();
    for (let round = 0; round < 5; round++) {
      const id = await ask(maker, 10 + round);
      const before = await rewards();
      const definition = { kind: "missions" as const, document: JSON.stringify(mission({ rewards: points(100 + round) })) };
      const [approved, edited] = await Promise.allSettled([
        admin.rpc.changeRequests.approve({ ...scope, id, revision: 1 }),
        maker.rpc.changeRequests.edit({ ...scope, id, revision: 1, definition }),
      ]);
      const after = await rewards();
      const { state } = await get(id);
      // An edit after the approval voids it; an approval after the edit is of a revision that is gone.
      if (state === "Applied") expect([after, edited.status]).toEqual([10 + round, "rejected"]);
      else expect([after, state, edited.status]).toEqual([before, "Open", "fulfilled"]);
      expect([approved.status, edited.status]).toContain("fulfilled");
      if (state === "Open") await maker.rpc.changeRequests.withdraw({ ...scope, id });
    }
  });

  test("of two concurrent approvals one counts, and several appliers apply once", async () => {
    const { maker, admin, owner, live, scope, ask, get, versions } = await guarded();
    const id = await ask(maker, 9);
    await sql`update change_requests set due_at = now() + interval '1 hour' where id = ${id}`;
    const both = await Promise.allSettled([admin, owner].map(({ rpc }) => rpc.changeRequests.approve({ ...scope, id, revision: 1 })));
    expect(both.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
    const again = sql`insert into change_request_events (environment_id, request_id, actor, action, revision) values (${live.id}, ${id}, 'x', 'Approved', 1)`;
    await expect(again).rejects.toThrow("change_request_approved_once");
    await sql`update change_requests set due_at = now() - interval '1 second' where id = ${id}`;
    const applied = await Promise.all([1, 2, 3].map(() => applyChange(REQUEST, database, live.id, id)));
    expect(applied.filter(Boolean)).toHaveLength(1);
    expect([(await get(id)).state, (await versions()).length]).toEqual(["Applied", 2]);
    const twice = sql`insert into change_request_events (environment_id, request_id, actor, action, revision) values (${live.id}, ${id}, 'x', 'Applied', 1)`;
    await expect(twice).rejects.toThrow("change_request_applied_once");
  });

  test("after a crash between approval and application a worker applies it, once", async () => {
    const { maker, live, ask, get, approve, rewards, versions } = await guarded();
    const id = await ask(maker, 9);
    await sql`create or replace function break_off() returns trigger language plpgsql as $$ begin raise exception 'broken off' using errcode = tg_argv[0]; end $$`;
    await sql`create trigger broken after insert on change_request_events for each row when (new.action = 'Applied') execute function break_off('57P01')`;
    await approve(id);
    expect([(await get(id)).state, await rewards()]).toEqual(["Approved", 5]);
    await expect(applyDueChanges(database, live.id)).rejects.toThrow("broken off");
    await sql`drop trigger broken on change_request_events`;
    expect(await Promise.all([applyDueChanges(database, live.id), applyDueChanges(database, live.id)])).toContain(1);
    expect([(await get(id)).state, await rewards(), (await versions()).length]).toEqual(["Applied", 9, 2]);
  });

  test("an unforeseen fault is kept with the request in plain words, and does not block the next", async () => {
    const { maker, live, scope, asked, ask, get, approve, rewards } = await guarded();
    const ids = [
      await ask(maker, 9),
      await asked(maker.rpc.definitions.setActive({ ...scope, kind: "missions", key: "m", active: false })),
    ];
    await sql`update change_requests set due_at = now() + interval '1 hour' where environment_id = ${live.id}`;
    for (const id of ids) await approve(id);
    await sql`update change_requests set due_at = now() - interval '1 second' where environment_id = ${live.id}`;
    await sql`create or replace function break_first() returns trigger language plpgsql as $$ begin raise exception 'broken off'; end $$`;
    await sql.unsafe(`create trigger broken after insert on change_request_events for each row
      when (new.action = 'Applied' and new.request_id = '${ids[0]!}') execute function break_first()`);
    const faults: string[] = [];
    expect(await applyDueChanges(database, live.id, { onFault: (error) => faults.push(String(error)) })).toBe(2);
    await sql`drop trigger broken on change_request_events`;
    expect(faults.join()).toContain("broken off");
    expect(await get(ids[0]!)).toMatchObject({ state: "Open", failure: "An unexpected error occurred. The log has it." });
    expect([(await get(ids[1]!)).state, await rewards()]).toEqual(["Applied", 5]);
  });
});

describe("every way to change definitions", () => {
  let world: Awaited<ReturnType<typeof guarded>>;
  beforeAll(async () => {
    world = await guarded();
  });

  test("new definitions that need each other are one request", async () => {
    const { maker, scope, asked, get, approve } = world;
    const along = [{ kind: "events" as const, document: JSON.stringify({ key: "brand_new", name: "Brand new" }) }];
    const objectives = [{ event: "brand_new", operator: "GreaterThanOrEqualTo", target: 1 }];
    const document = JSON.stringify({ ...mission({ objectives }), key: "second" });
    const id = await asked(maker.rpc.definitions.save({ ...scope, kind: "missions", document, isNew: true, along }));
    expect((await get(id)).items.map(({ kind, key, sign }) => [kind, key, sign])).toEqual([
      ["events", "brand_new", "+"],
      ["missions", "second", "+"],
    ]);
    await approve(id);
    expect(await maker.rpc.definitions.get({ ...scope, kind: "missions", key: "second" })).toMatchObject({ key: "second" });
  });

  test("a mission that starts over by a request keeps its alert and its budget", async () => {
    const { maker, editor, scope, asked, get, approve } = await guarded();
    const about = { ...scope, kind: "missions" as const, key: "m" };
    const rule = { figure: "PointsGranted", comparison: "Above", basis: "Bound", threshold: 100, hours: 1 } as const;
    await editor.rpc.alerts.save({ ...about, ...rule, name: "Payout", id: null });
    await editor.rpc.budgets.save({ ...about, measure: "Points", period: "Day", amount: 100, switchesOff: false, id: null });
    const { revision } = await maker.rpc.definitions.get(about);
    const over = { ...about, document: JSON.stringify(mission({ rewards: points(6) })), isNew: false, revision, replaces: true };
    const id = await asked(maker.rpc.definitions.save(over));
    await approve(id);
    expect(await get(id)).toMatchObject({ state: "Applied", items: [{ isAnew: true }] });
    expect((await editor.rpc.alerts.list(scope)).alerts).toMatchObject([{ key: "m" }]);
    expect((await editor.rpc.budgets.list(scope)).budgets).toMatchObject([{ key: "m" }]);
  });

  test("starting over, deleting, and changing settings or rates are requests", async () => {
    const { maker, scope, asked, get, approve } = world;
    const attribute = { key: "tier", name: "Level", type: "Number" };
    const { revision } = await maker.rpc.definitions.get({ ...scope, kind: "attributes", key: "tier" });
    const over = { ...scope, kind: "attributes" as const, document: JSON.stringify(attribute), isNew: false, revision, replaces: true };
    const anew = await asked(maker.rpc.definitions.save(over));
    expect((await get(anew)).items).toMatchObject([{ key: "tier", isAnew: true }]);
    await approve(anew);
    const after = await maker.rpc.definitions.get({ ...scope, kind: "attributes", key: "tier" });
    expect(JSON.parse(after.document)).toMatchObject({ type: "Number" });
    const gone = await asked(maker.rpc.definitions.remove({ ...scope, kind: "attributes", key: "tier" }));
    expect((await get(gone)).items).toMatchObject([{ sign: "-" }]);
    await approve(gone);
    await expect(maker.rpc.definitions.get({ ...scope, kind: "attributes", key: "tier" })).rejects.toThrow("There is no such definition");
    const settings = await asked(
      maker.rpc.definitions.saveSettings({ ...scope, discovery: { events: true, attributes: false }, baseCurrency: "EUR" }),
    );
    await approve(settings);
    const rates = await asked(
      maker.rpc.definitions.save({
        ...scope,
        kind: "exchangeRates",
        document: JSON.stringify({ currencyCode: "USD", rate: 2 }),
        isNew: true,
      }),
    );
    await approve(rates);
    const off = await asked(maker.rpc.definitions.remove({ ...scope, kind: "exchangeRates", key: "USD" }));
    expect((await get(off)).items).toMatchObject([{ key: "USD", sign: "-" }]);
    await approve(off);
    expect((await get(off)).state).toBe("Applied");
  });

  test("a promotion asks for all that was chosen, and its versions say that they were promoted", async () => {
    const { maker, slug, scope, asked, get, approve } = world;
    const document = JSON.stringify(mission({ name: "From the Sandbox", rewards: points(3) }));
    await maker.rpc.definitions.save({ project: slug, environment: "sandbox", kind: "missions", document, isNew: false, revision: null });
    const chosen = [{ kind: "missions" as const, key: "m" }];
    const promote = { project: slug, environment: "sandbox" as const, chosen, dryRun: false, request: { title: "Summer" } };
    const id = await asked(maker.rpc.definitions.promote(promote));
    expect(await get(id)).toMatchObject({ title: "Summer", via: "promote" });
    await approve(id);
    const { versions } = await maker.rpc.definitions.history({ ...scope, kind: "missions", key: "m" });
    expect(versions[0]).toMatchObject({ via: "promote", requestId: id });
  });
});

test("waiting requests and their sizes are limited", async () => {
  const { maker, admin, live, scope, ask } = await guarded();
  await sql`
    insert into change_requests (environment_id, title, reason, content, subjects, via, actor, editor)
    select ${live.id}, 'One of many', '', '[]', '{}', 'save', 'a script', 'a script' from generate_series(1, ${MAX_OPEN_REQUESTS - 1})`;
  await ask(maker, 9);
  await expect(ask(maker, 8)).rejects.toThrow("At most 100 change requests can wait at a time");
  await sql`delete from change_requests where actor = 'a script'`;
  await sql`
    insert into change_requests (environment_id, title, reason, content, subjects, via, actor, editor, user_id)
    select environment_id, 'One of many', '', '[]', '{}', 'save', actor, editor, user_id
    from change_requests, generate_series(2, ${MAX_OPEN_REQUESTS_OF_ONE}) where environment_id = ${live.id}`;
  await expect(ask(maker, 8)).rejects.toThrow("At most 30 of your change requests can wait at a time");
  await ask(admin, 8);
  const pages: string[] = [];
  for (let cursor: string | null = null, at = 0; at < 4; at++) {
    const page: { requests: { id: string }[]; next: string | null } = await admin.rpc.changeRequests.list({ ...scope, cursor, limit: 40 });
    pages.push(...page.requests.map(({ id }) => id));
    cursor = page.next;
    if (cursor === null) break;
  }
  expect(new Set(pages).size).toBe(MAX_OPEN_REQUESTS_OF_ONE + 1);
});
