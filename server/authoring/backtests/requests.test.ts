import { expect, test } from "vitest";
import { testDatabase, testProject } from "#db/testing.ts";
import { signedIn } from "../../api/testing/signed-in.ts";
import { ChangeRequested } from "../../model/definitions/change-requests.ts";
import { importDefinitions } from "../definitions/service/import.ts";
import { runDue } from "./service/runner.ts";
import { insertBacktest, takeDue } from "./store/rows.ts";

const database = await testDatabase();

const EVENT = { kind: "events" as const, document: '{"key":"visited","name":"Visited"}' };
const mission = (points: number) => ({
  key: "visits",
  name: "Visits",
  objectives: [{ event: "visited", operator: "GreaterThanOrEqualTo", target: 1 }],
  rewards: [{ kind: "Points", points }],
});

test("a change request finds the saved result of the same draft, however it was written, and of no other", async () => {
  const { slug, live } = await testProject(database);
  await importDefinitions(database, live, { version: 1, events: [{ key: "ordered", name: "Ordered" }] });
  const [admin, editor] = [await signedIn(database, slug, "Admin"), await signedIn(database, slug, "Editor")];
  await admin.rpc.projectSettings.guardLive({ project: slug, isOn: true });
  const scope = { project: slug, environment: "live" as const };
  const which = { ...scope, kind: "missions" as const, key: "visits" };
  const backtest = async (document: string, along: (typeof EVENT)[]) => {
    expect(await editor.rpc.backtests.start({ ...scope, kind: "missions", document, along })).toMatchObject({ problems: [] });
    expect(await runDue(database)).toBe(true);
  };
  // The order of members, a default written out, and a definition that the mission does not name change nothing.
  const reordered = { active: true, ...Object.fromEntries(Object.entries(mission(5)).toReversed()) };
  await backtest(JSON.stringify(reordered, null, 2), [{ kind: "events", document: '{"key":"unnamed","name":"Unnamed"}' }, EVENT]);
  await backtest(JSON.stringify(mission(6)), [EVENT]);
  await backtest(JSON.stringify(mission(5)), [{ ...EVENT, document: '{"key":"visited","name":"Called otherwise"}' }]);

  const asked = editor.rpc.definitions.save({ ...which, document: JSON.stringify(mission(5)), isNew: true, along: [EVENT], request: {} });
  const requested = await asked.catch((error: unknown) => error);
  if (!(requested instanceof ChangeRequested)) throw requested;
  const draft = await editor.rpc.changeRequests.document({ ...which, id: requested.requestId });
  expect(draft.along.map(({ kind }) => kind)).toEqual(["events"]);
  const found = (draftFingerprint: string | null) => editor.rpc.backtests.list({ ...which, draftFingerprint }).then((all) => all.backtests);
  expect(await found(null)).toHaveLength(3);
  const [own, ...others] = await found(draft.fingerprint);
  expect([own?.status, own?.id, others]).toEqual(["Done", (await found(null)).at(-1)!.id, []]);
  // A backtest of the request's own document is found as well.
  await backtest(draft.document, draft.along as (typeof EVENT)[]);
  expect(await found(draft.fingerprint)).toHaveLength(2);
});

test("backtests of an organization with several waiting ones take turns with another organization's", async () => {
  const [many, one] = [await testProject(database), await testProject(database)];
  const wait = ({ id }: { id: number }) =>
    database.sql.begin((tx) =>
      insertBacktest(tx, id, {
        ...{ kind: "missions", key: "visits", document: "{}", along: "[]", fingerprint: "", draftFingerprint: null },
        ...{ days: 30, entry: "start", sample: 1, createdBy: "a test" },
      }),
    );
  for (const environment of [many.sandbox, many.live, one.sandbox]) {
    await wait(environment);
    // Their order is that of their instants, which have milliseconds.
    await database.sql`select pg_sleep(0.002)`;
  }
  const taken: (number | undefined)[] = [];
  for (let at = 0; at < 3; at++) taken.push((await takeDue(database.sql, 60))?.environmentId);
  expect(taken).toEqual([many.sandbox.id, one.sandbox.id, many.live.id]);
});
