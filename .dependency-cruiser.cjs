// The import rules of the layout (ARCHITECTURE.md). scripts/boundaries.mjs runs them, and plants a violation of each to see that it is caught.
const ROLE = "(contract|store|client|service|procedures)";
const DOMAIN =
  "(projects|definitions|players|attributes|segments|events|metrics|missions|points|marketplace|leaderboards|streaks|webhooks|analytics|simulation)";
// A file without a role name is a pure rule.
const PURE = `^server/(engine/(?!(apply|store)[.])|kernel/|rules/|${DOMAIN}/(?!${ROLE}([.]|/)))[^/]*[.]ts$`;
const CONTRACT = `^server/(${DOMAIN}|api|work)/contract([.]dashboard)?[.]ts$`;
// Tests, and the examples that several tests share.
const TEST = "([.](test|spec)[.]tsx?|/examples[.]ts)$";

/** @type {import("dependency-cruiser").IConfiguration} */
module.exports = {
  forbidden: [
    { name: "no-circles", severity: "error", from: {}, to: { circular: true } },
    {
      name: "rules-stay-pure",
      severity: "error",
      comment: "A file without a role name is a pure rule: no database, settings, network or other role (contract aside).",
      from: { path: PURE, pathNot: TEST },
      to: {
        path: [
          `^server/${DOMAIN}/(store|client|service|procedures)([.]|/)`,
          "^(db|app|server/(api|work|settings))(/|[.])",
          "(^|node_modules/)(drizzle-orm|postgres|@orpc/server|next|next-auth)(/|$)",
        ],
      },
    },
    {
      name: "the-kernel-runs-in-a-browser",
      severity: "error",
      from: { path: "^server/kernel/", pathNot: TEST },
      to: { dependencyTypes: ["core"] },
    },
    {
      name: "the-rule-language-sees-the-kernel",
      severity: "error",
      comment: "The form in the browser and the service import the same rules: they stand on the kernel and zod alone.",
      from: { path: "^server/rules/", pathNot: TEST },
      to: { pathNot: ["^server/(rules|kernel)/", "(^|node_modules/)zod(/|$)"] },
    },
    {
      name: "rules-do-no-io",
      severity: "error",
      from: { path: PURE, pathNot: TEST },
      to: { dependencyTypes: ["core"], pathNot: "^(node:)?crypto$" },
    },
    {
      name: "contracts-run-in-a-browser",
      severity: "error",
      comment: "The shapes that every contract of the public API shares are a contract themselves: api/contract.ts.",
      from: { path: CONTRACT },
      to: { pathNot: [CONTRACT, "^server/(rules|kernel)/", "(^|node_modules/)(zod|@orpc/contract)(/|$)"] },
    },
    {
      name: "only-stores-touch-tables",
      severity: "error",
      from: { path: "^(app|server)/", pathNot: [`^server/(${DOMAIN}|engine|work)/store([.]|/)`, TEST] },
      to: { path: "^db/schema/" },
    },
    {
      name: "a-store-owns-its-tables",
      severity: "error",
      from: { path: `^server/${DOMAIN}/store` },
      to: { path: "^db/schema/", pathNot: "^db/schema/$1[.]ts$" },
    },
    {
      name: "other-domains-through-service-contract-or-rule",
      severity: "error",
      from: { path: `^server/${DOMAIN}/`, pathNot: TEST },
      to: { path: `^server/${DOMAIN}/(procedures|store|client)([.]|/)`, pathNot: "^server/$1/" },
    },
    {
      name: "domains-know-no-edge",
      severity: "error",
      from: { path: `^server/${DOMAIN}/(service|store|client)`, pathNot: TEST },
      to: { path: "^(server/api|app)/" },
    },
    {
      name: "screens-see-contracts-and-rules",
      severity: "error",
      comment: "And the edge, for its types and the procedures that pages are rendered with.",
      from: { path: "^app/", pathNot: TEST },
      to: { path: "^(server|db)/", pathNot: [CONTRACT, "^server/(api|rules|kernel)/"] },
    },
    { name: "server-never-imports-app", severity: "error", from: { path: "^(server|db)/" }, to: { path: "^app/" } },
    {
      name: "db-is-a-leaf",
      severity: "error",
      comment: "The test harness stands beside the database but makes projects the way everybody does, through their service.",
      from: { path: "^db/", pathNot: ["^db/testing[.]ts$", TEST] },
      to: { path: "^(server|app)/", pathNot: "^server/(settings|kernel)" },
    },
  ],
  options: {
    tsPreCompilationDeps: true,
    tsConfig: { fileName: "tsconfig.json" },
    doNotFollow: { path: "node_modules" },
    enhancedResolveOptions: { extensions: [".ts", ".tsx", ".js"] },
  },
};
