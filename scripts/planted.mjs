// The violations that scripts/boundaries.mjs plants: for each import rule files that break it, and no other rule.

/** `from` imports `to` and breaks `rule`. */
export const IMPORT_VIOLATIONS = [
  { rule: "no-circles", from: "server/points/one.ts", to: "./two.ts" },
  { rule: "rules-stay-pure", from: "server/missions/progress.ts", to: "./store.ts" },
  { rule: "rules-stay-pure", from: "server/missions/ranking.ts", to: "../../db/client.ts" },
  { rule: "rules-stay-pure", from: "server/engine/advance.ts", to: "../missions/service.ts" },
  { rule: "rules-stay-pure", from: "server/engine/effects.ts", to: "../settings.ts" },
  { rule: "rules-stay-pure", from: "server/streaks/runs.ts", to: "postgres" },
  { rule: "rules-and-kernel-run-in-a-browser", from: "server/kernel/ids.ts", to: "node:crypto" },
  { rule: "rules-and-kernel-run-in-a-browser", from: "server/rules/tree.ts", to: "node:crypto" },
  { rule: "the-kernel-knows-nobody", from: "server/kernel/facts.ts", to: "../rules/value.ts" },
  { rule: "the-rule-language-knows-the-kernel", from: "server/rules/filter.ts", to: "../events/contract.ts" },
  { rule: "the-rule-language-knows-the-kernel", from: "server/rules/spelling.ts", to: "fastest-levenshtein" },
  { rule: "rules-stay-pure", from: "server/tokens/bounds.ts", to: "./create.ts" },
  { rule: "rules-do-no-io", from: "server/webhooks/destination.ts", to: "node:dns" },
  { rule: "contracts-run-in-a-browser", from: "server/points/contract.ts", to: "./balance.ts" },
  { rule: "contracts-run-in-a-browser", from: "server/events/contract.ts", to: "node:crypto" },
  { rule: "contracts-run-in-a-browser", from: "server/api/contract.ts", to: "./routes.ts" },
  { rule: "only-stores-touch-tables", from: "server/players/service.ts", to: "../../db/schema/players.ts" },
  { rule: "only-stores-touch-tables", from: "server/main.ts", to: "../db/schema/players.ts" },
  { rule: "a-store-owns-its-tables", from: "server/attributes/store.ts", to: "../../db/schema/players.ts" },
  { rule: "other-domains-through-service-contract-or-rule", from: "server/events/service.ts", to: "../players/store.ts" },
  { rule: "other-domains-through-service-contract-or-rule", from: "server/identity/find-user.ts", to: "../audit-log/store.ts" },
  { rule: "domains-know-no-edge", from: "server/webhooks/service.ts", to: "../api/log.ts" },
  { rule: "domains-know-no-edge", from: "server/api-keys/revoke.ts", to: "../api/log.ts" },
  { rule: "nobody-below-knows-the-worker", from: "server/leaderboards/service/fill-boards.ts", to: "../../worker/facts.ts" },
  { rule: "nobody-below-knows-the-worker", from: "server/projects/archive.ts", to: "../sandbox/reset.ts" },
  { rule: "the-worker-knows-domains-alone", from: "server/worker/drain.ts", to: "../sandbox/move-clock.ts" },
  { rule: "screens-see-contracts-and-rules", from: "app/docs/page.tsx", to: "../../server/missions/service.ts" },
  { rule: "screens-see-contracts-and-rules", from: "app/page.tsx", to: "../db/client.ts" },
  { rule: "forms-load-with-their-page", from: "app/_lists/definition-list.tsx", to: "../authoring/forms/index.tsx" },
  { rule: "kinds-stay-light", from: "app/authoring/kinds/missions.ts", to: "../sentences/missions.ts" },
  { rule: "server-never-imports-app", from: "server/api/http.ts", to: "../../app/page.tsx" },
  { rule: "db-is-a-leaf", from: "db/embedded.ts", to: "../server/missions/service.ts" },
];

/** Imports that the rules must allow (the first one closes the circle above). */
export const LAWFUL = [
  { from: "server/points/two.ts", to: "./one.ts" },
  { from: "server/streaks/contract.ts", to: "../api/contract.ts" },
  { from: "server/missions/eligibility.ts", to: "../kernel/values.ts" },
  { from: "server/missions/procedures.ts", to: "../points/service.ts" },
  { from: "server/players/identity.ts", to: "node:crypto" },
  { from: "server/engine/apply.ts", to: "../missions/store.ts" },
  { from: "server/worker/loop.ts", to: "../webhooks/service.ts" },
  { from: "server/sandbox/move-clock.ts", to: "../worker/facts.ts" },
  { from: "server/tokens/create.ts", to: "../identity/find-user.ts" },
  { from: "server/metrics/contract.ts", to: "zod" },
  { from: "server/segments/contract.ts", to: "../rules/condition.ts" },
  { from: "server/rules/value.ts", to: "../kernel/values.ts" },
  { from: "server/streaks/contract.ts", to: "../rules/filter.ts" },
  { from: "server/missions/accepts.ts", to: "../rules/condition.ts" },
  { from: "server/rules/condition.ts", to: "../kernel/decimal.ts" },
  { from: "server/rules/condition.ts", to: "zod" },
  { from: "app/players/page.tsx", to: "../../server/rules/phrase.ts" },
  { from: "server/metrics/store.ts", to: "../../db/schema/metrics.ts" },
  { from: "app/dashboard/[project]/[environment]/[kind]/new/page.tsx", to: "../../../../../authoring/forms/index.tsx" },
  { from: "app/docs/errors/page.tsx", to: "../../../server/kernel/errors.ts" },
];

/** Imports that scripts/arrows.mjs has to count. */
export const ARROWS_UP = [
  { from: "server/streaks/progress.ts", to: "server/missions/filter.ts" },
  { from: "server/leaderboards/service/read.ts", to: "server/players/identity.ts" },
  { from: "server/tokens/create.ts", to: "server/projects/settings.ts" },
  { from: "server/engine/apply.ts", to: "server/missions/store.ts" },
  { from: "server/kernel/time.ts", to: "server/players/service.ts" },
];

/** Code that a pure rule may not contain. */
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
