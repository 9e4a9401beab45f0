import { createRouterClient } from "@orpc/server";
import { expect, test } from "vitest";
import { isSpread, testDatabase } from "../../db/testing.ts";
import { testCipher } from "../delivery/testing.ts";
import { applyDueChanges } from "../authoring/definitions/service/scheduling.ts";
import { ChangeRequested } from "../model/definitions/change-requests.ts";
import type { EnvironmentKind } from "../model/kernel/environment.ts";
import type { AccessLine } from "./testing/access-inputs.ts";
import { TABLE } from "./testing/access-table.ts";
import { type Caller, openWorld } from "./testing/access-world.ts";
import { dashboardRouter } from "./rpc/router.ts";

/**
 * Tries to get around the rule that changes to Live need a second person: every procedure that writes, taken from the router, is called by
 * two people and a token, in Live and in the Sandbox. None changes a definition of Live but the two that decide a request.
 */
const database = await testDatabase();
const { sql } = database;
const world = await openWorld(database);
const live = world.ownLive.environment.id;
const named = (name: string) => world.callers.find((caller) => caller.name === name)!;
const CALLERS = [named("Owner of the organization"), named("Editor of the organization"), named("token of role Owner")];

type Call = (path: string, input: object) => Promise<unknown>;

function callAs({ sessionId, authorization }: Pick<Caller, "sessionId" | "authorization">): Call {
  const context = { database, sessionId, authorization, baseUrl: "", allowPrivateAddresses: true, cipher: testCipher, wake: () => {} };
  const client = createRouterClient(dashboardRouter, { context }) as unknown as Record<
    string,
    Record<string, (input: object) => Promise<unknown>>
  >;
  return (path, input) => {
    const [domain, verb] = path.split(".") as [string, string];
    return client[domain]![verb]!(input);
  };
}

const guard = (isOn: boolean) => sql`update projects set is_live_guarded = ${isOn} where slug = ${world.own.slug}`;

/** Everything that Live defines, and every version of it. */
async function definitionsOfLive(): Promise<string> {
  const [row] = await sql<{ digest: string }[]>`
    select md5(coalesce((select string_agg(d::text, '' order by id) from definitions d where environment_id = ${live}), '')
      || (select count(*) from definition_versions where environment_id = ${live})) as digest`;
  return row!.digest;
}

const WRITES = Object.entries<AccessLine>(TABLE).filter(
  ([, { writes, scope }]) => writes && (scope === "environment" || scope === "project"),
);
/** The calls that put a change into effect, with another person's approval or with a reason that all approvers get. */
const DECIDE = ["changeRequests.approve", "changeRequests.goAlone"];

test.skipIf(isSpread())(
  "no procedure changes a definition of Live without a second person, for any caller and from either environment",
  async () => {
    const asked = new Set<string>();
    const changed = new Set<string>();
    for (const [path, line] of WRITES) {
      for (const kind of ["live", "sandbox"] satisfies EnvironmentKind[]) {
        for (const caller of CALLERS) {
          await guard(false);
          const own = kind === "live" ? world.ownLive : world.own;
          const input = { project: own.slug, environment: kind, ...(await line.input?.({ ...world, own }, caller)) };
          await guard(true);
          const before = await definitionsOfLive();
          // Refusals for lack of a role are tested elsewhere (access.test.ts).
          const error = await callAs(caller)(path, input).catch((reason: unknown) => reason);
          if (error instanceof ChangeRequested) asked.add(path);
          if ((await definitionsOfLive()) !== before) changed.add(path);
          await line.undo?.(world);
        }
      }
    }
    expect([...changed].sort()).toEqual(DECIDE);
    expect([...asked].sort()).toEqual([
      "definitions.applyScheduled",
      "definitions.importFile",
      "definitions.importTexts",
      "definitions.promote",
      "definitions.promoteAll",
      "definitions.remove",
      "definitions.repairLanguage",
      "definitions.restoreVersion",
      "definitions.save",
      "definitions.saveSettings",
      "definitions.scheduleSave",
      "definitions.setActive",
      "definitions.setActiveOfMany",
      "definitions.translate",
    ]);
    // Each became a request with the definitions that it would have written, also from the Sandbox.
    const requests = await sql<{ via: string; isEmpty: boolean }[]>`
    select distinct via, content = '[]' as is_empty from change_requests where environment_id = ${live} and actor <> 'an editor' order by via`;
    expect(requests.map(({ isEmpty }) => isEmpty)).not.toContain(true);
    expect(requests.map(({ via }) => via)).toEqual([
      ...["delete", "import", "import_translations", "promote", "repair_language", "restore", "save", "scheduled", "switch"],
    ]);
  },
);

test.skipIf(isSpread())("a save into both, a change scheduled before the rule, and turning the rule off are requests as well", async () => {
  const [owner, , token] = CALLERS as [Caller, Caller, Caller];
  const project = world.own.slug;
  await guard(false);
  const key = "in_both";
  const document = JSON.stringify({ key, name: "In both" });
  const scheduled = await (async () => {
    await callAs(owner)("definitions.save", {
      project,
      environment: "live",
      kind: "events",
      document: JSON.stringify({ key: "due", name: "Due" }),
      isNew: true,
    });
    const later = { kind: "events", document: JSON.stringify({ key: "due", name: "Later" }), revision: null };
    const at = new Date(Date.now() + 60_000).toISOString();
    return (await callAs(owner)("definitions.scheduleSave", { project, environment: "live", ...later, at })) as { id: string };
  })();
  await guard(true);
  const before = await definitionsOfLive();
  const inBoth = { project, environment: "sandbox", kind: "events", document, isNew: true, alsoIn: { revision: null } };
  await expect(callAs(token)("definitions.save", inBoth)).rejects.toThrow("Saved in the Sandbox. Changes to Live need an approval");
  await sql`update scheduled_changes set due_at = now() - interval '1 second' where id = ${scheduled.id}`;
  expect(await applyDueChanges(database, live)).toBe(1);
  for (const caller of [owner, token]) {
    await expect(callAs(caller)("projectSettings.guardLive", { project, isOn: false })).rejects.toThrow(ChangeRequested);
  }
  expect(await definitionsOfLive()).toBe(before);
  const [row] = await sql<{ isOn: boolean; scheduled: number; off: number }[]>`
    select is_live_guarded as is_on, (select count(*)::int from scheduled_changes where id = ${scheduled.id}) as scheduled,
      (select count(*)::int from change_requests where environment_id = ${live} and content is null) as off
    from projects where slug = ${project}`;
  expect(row).toEqual({ isOn: true, scheduled: 0, off: 1 });
});
