// The violations that scripts/boundaries.mjs plants: one for each import rule, which that rule and no other must catch.

const ORDERED = [
  { rule: "model-imports-to-its-left", from: "server/model/missions/progress.ts", to: "../../engine/apply.ts" },
  { rule: "engine-imports-to-its-left", from: "server/engine/tally.ts", to: "../game/missions/service/read.ts" },
  { rule: "people-imports-to-its-left", from: "server/people/projects/archive.ts", to: "../../operations/sandbox/reset.ts" },
  { rule: "delivery-imports-to-its-left", from: "server/delivery/dispatcher.ts", to: "../api/log.ts" },
  { rule: "game-imports-to-its-left", from: "server/game/events/service.ts", to: "../../authoring/definitions/change.ts" },
  { rule: "authoring-imports-to-its-left", from: "server/authoring/images/service.ts", to: "../../insight/status/read.ts" },
  { rule: "insight-imports-to-its-left", from: "server/insight/status/beat.ts", to: "../../operations/worker/lane.ts" },
  { rule: "operations-imports-to-its-left", from: "server/operations/worker/drain.ts", to: "../../api/context.ts" },
  { rule: "api-imports-to-its-left", from: "server/api/http.ts", to: "#server/process/settings.ts" },
  { rule: "cli-imports-to-its-left", from: "server/cli/output.ts", to: "../process/settings.ts" },
];

/** `from` imports `to` and breaks `rule`. */
export const IMPORT_VIOLATIONS = [
  ...ORDERED,
  { rule: "no-circles", from: "server/game/points/one.ts", to: "./two.ts" },
  { rule: "model-does-no-io", from: "server/model/webhooks/destination.ts", to: "node:dns" },
  { rule: "model-knows-no-database-and-no-framework", from: "server/model/streaks/runs.ts", to: "postgres" },
  { rule: "model-knows-no-database-and-no-framework", from: "server/model/streaks/runs.ts", to: "#db/client.ts" },
  { rule: "the-kernel-stands-alone", from: "server/model/kernel/facts.ts", to: "../points/values.ts" },
  { rule: "the-rule-language-knows-the-kernel", from: "server/model/rules/filter.ts", to: "../events/known.ts" },
  { rule: "kinds-and-contracts-run-in-a-browser", from: "server/model/events/definition.ts", to: "../players/identity.ts" },
  { rule: "kinds-and-contracts-run-in-a-browser", from: "server/game/events/contract.ts", to: "../../model/players/identity.ts" },
  { rule: "contracts-are-shapes", from: "server/game/points/contract.ts", to: "./service.ts" },
  { rule: "only-stores-touch-tables", from: "server/process/main.ts", to: "../../db/schema/players.ts" },
  { rule: "a-store-is-its-domains-own", from: "server/people/identity/accounts.ts", to: "../audit-log/store.ts" },
  { rule: "server-imports-no-screens", from: "server/api/fetch.ts", to: "../../app/page.tsx" },
  { rule: "db-is-a-leaf", from: "db/embedded/database.ts", to: "../../server/game/missions/service/read.ts" },
  { rule: "screens-see-the-model-and-contracts", from: "app/docs/page.tsx", to: "../../server/game/missions/service/read.ts" },
  { rule: "screens-know-no-routes", from: "web/home/home.tsx", to: "../../app/dashboard/page.tsx" },
  { rule: "forms-load-with-their-page", from: "web/definitions/list/definition-list.tsx", to: "../kinds/forms/index.tsx" },
  { rule: "kinds-stay-light", from: "web/definitions/kinds/index.ts", to: "./summaries.ts" },
];

/** Imports that the rules must allow. The first one completes the cycle above. */
export const LAWFUL = [
  { from: "server/game/points/two.ts", to: "./one.ts" },
  { from: "server/model/players/identity.ts", to: "node:crypto" },
  { from: "server/game/streaks/contract.ts", to: "../../model/contract/v1.ts" },
  { from: "server/game/leaderboards/service/read.ts", to: "#server/engine/store/scores.ts" },
  { from: "server/api/v1/router.ts", to: "../../game/missions/store.ts" },
  { from: "server/game/metrics/store.ts", to: "../../../db/schema/metrics.ts" },
  { from: "app/docs/errors/page.tsx", to: "../../../server/model/kernel/errors.ts" },
  { from: "app/dashboard/[project]/[environment]/[kind]/new/page.tsx", to: "#web/definitions/kinds/forms/index.tsx" },
];

/** Code that the model may not contain. */
export const IMPURE_CODE = [
  "export const now = Date.now();",
  "export const now = new Date();",
  "export const now = Date();",
  "export const now = Temporal.Now.instant();",
  "export const now = performance.now();",
  "export const luck = Math.random();",
  'import { randomUUID } from "node:crypto";\nexport const luck = randomUUID();',
  "export const luck = crypto.randomUUID();",
  "export async function wait() {}",
  "export const wait = async () => {};",
  "export const platform = process.platform;",
  "console.log(1);",
  'export const answer = fetch("/");',
  "setTimeout(() => {}, 1);",
];
