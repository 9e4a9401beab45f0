// The import rules of the layout (ARCHITECTURE.md). scripts/boundaries.mjs runs them, and plants violations to see that each is caught.

/** The rooms of server/: each imports only rooms to its left, in values and in types. */
const ROOMS = ["model", "engine", "people", "delivery", "game", "authoring", "insight", "operations", "api", "cli", "process"];

// Tests, and code that several tests share.
const TEST = "([.](test|spec)[.]tsx?|/testing([.]ts|/[^/]+[.]ts))$";
const CONTRACT = "^server/.+/contract([.]dashboard)?[.]ts$";
const FORMS = "^web/definitions/kinds/forms/";
const ZOD = "(^|node_modules/)zod(/|$)";

/** The order: one rule for each room that has others to its right. */
const order = ROOMS.slice(0, -1).map((room, index) => ({
  name: `${room}-imports-to-its-left`,
  severity: "error",
  from: { path: `^server/${room}/`, pathNot: TEST },
  to: { path: `^server/(${ROOMS.slice(index + 1).join("|")})/` },
}));

/** @type {import("dependency-cruiser").IConfiguration} */
module.exports = {
  forbidden: [
    { name: "no-circles", severity: "error", from: {}, to: { circular: true } },
    ...order,
    {
      name: "model-does-no-io",
      severity: "error",
      comment:
        "Of Node.js it may use hashes. A browser gets another module in the place of kernel/temporal.ts (`imports` in package.json).",
      from: { path: "^server/model/", pathNot: [TEST, "^server/model/kernel/temporal[.]ts$"] },
      to: { dependencyTypes: ["core"], pathNot: "^(node:)?crypto$" },
    },
    {
      name: "model-knows-no-database-and-no-framework",
      severity: "error",
      from: { path: "^server/model/", pathNot: TEST },
      to: { path: ["^(db|app|web)/", "(^|node_modules/)(drizzle-orm|postgres|@orpc/server|next|next-auth)(/|$)"] },
    },
    {
      name: "the-kernel-stands-alone",
      severity: "error",
      from: { path: "^server/model/kernel/", pathNot: TEST },
      to: { path: "^server/", pathNot: "^server/model/kernel/" },
    },
    {
      name: "the-rule-language-knows-the-kernel",
      severity: "error",
      comment: "The form in the browser and the service import the same rules.",
      from: { path: "^server/model/rules/", pathNot: TEST },
      to: { pathNot: ["^server/model/(rules|kernel)/", ZOD] },
    },
    {
      name: "kinds-and-contracts-run-in-a-browser",
      severity: "error",
      comment: "The form in the browser and the service judge a definition by the same module.",
      from: { path: ["^server/model/(kernel|[^/]+/definition([.]ts$|/)|definitions/kinds[.]ts$)", CONTRACT], pathNot: TEST },
      to: { path: "^(node:)?(crypto|fs|os|path|net|http|stream|timers|util|buffer|events)(/|$)", reachable: true },
    },
    {
      name: "contracts-are-shapes",
      severity: "error",
      from: { path: CONTRACT },
      to: { pathNot: [CONTRACT, "^server/model/", ZOD, "(^|node_modules/)@orpc/contract(/|$)"] },
    },
    {
      name: "only-stores-touch-tables",
      severity: "error",
      from: { path: "^(app|web|server)/", pathNot: ["/store([.]|/)", TEST] },
      to: { path: "^db/schema/" },
    },
    {
      name: "a-store-is-its-domains-own",
      severity: "error",
      comment: "Within a room; rooms to the right read it where a verb would only pass it on.",
      from: { path: "^server/([^/]+)/([^/]+)/", pathNot: TEST },
      to: { path: "^server/$1/[^/]+/store([.]|/)", pathNot: "^server/$1/$2/" },
    },
    { name: "server-imports-no-screens", severity: "error", from: { path: "^(server|db)/" }, to: { path: "^(app|web)/" } },
    {
      name: "db-is-a-leaf",
      severity: "error",
      from: { path: "^db/", pathNot: TEST },
      to: { path: "^server/", pathNot: "^server/model/kernel/" },
    },
    { name: "screens-know-no-routes", severity: "error", from: { path: "^web/", pathNot: TEST }, to: { path: "^app/" } },
    {
      name: "screens-see-the-model-and-contracts",
      severity: "error",
      comment: "And the edge, for its types and the procedures that pages are rendered with.",
      from: { path: "^(app|web)/", pathNot: TEST },
      to: { path: "^(server|db)/", pathNot: [CONTRACT, "^server/(model|api)/", "^server/process/(base-url|serverless)[.]ts$"] },
    },
    {
      name: "forms-load-with-their-page",
      severity: "error",
      comment: "Every page of the dashboard loads what a kind's module says of it; the forms are loaded by the pages that show one.",
      from: { path: "^(app|web)/", pathNot: [FORMS, "/\\[kind\\]/(new|\\[key\\]/edit)/page[.]tsx$", TEST] },
      to: { path: FORMS },
    },
    {
      name: "kinds-stay-light",
      severity: "error",
      comment: "See forms-load-with-their-page.",
      from: { path: "^web/definitions/kinds/(index|columns)[.]tsx?$", pathNot: TEST },
      to: {
        path: [
          FORMS,
          "^web/definitions/(form|fields|rules)/",
          "^web/definitions/kinds/(drafts|summaries|leaderboard-words)[.]ts$",
          "^server/",
          ZOD,
        ],
        pathNot: "^server/model/kernel/(calendar|dates|thousands)[.]ts$",
        dependencyTypesNot: ["type-only"],
      },
    },
  ],
  options: {
    tsPreCompilationDeps: true,
    tsConfig: { fileName: "tsconfig.json" },
    doNotFollow: { path: "node_modules" },
    enhancedResolveOptions: { extensions: [".ts", ".tsx", ".js"] },
  },
};
