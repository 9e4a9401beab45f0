// The import rules of the layout (ARCHITECTURE.md). scripts/boundaries.mjs runs them, and plants a violation of each to see that it is caught.
const rooms = require("./scripts/rooms.cjs");

const oneOf = (names) => `(${names.join("|")})`;
const ROLE = "(contract|store|client|service|procedures)";
const DOMAIN = oneOf(rooms.DOMAINS);
const ACROSS = oneOf(rooms.ACROSS);
const VERB = `${oneOf(rooms.VERB_ROOMS)}/${oneOf(rooms.VERBS)}[.-]`;
// A file without a role name, and without the name of a verb where verbs are files, is a pure rule.
const PURE = `^server/(engine/(?!(apply|store)[.])|rules/|kernel/|(?!${VERB})${DOMAIN}/((?!${ROLE}([.]|/))|definition/))[^/]*[.]ts$`;
const CONTRACT = `^server/(${DOMAIN}|${ACROSS}|api)/contract([.]dashboard)?[.]ts$`;
// What belongs to a kind of definition, and the list of all kinds.
const DEFINITION = `^server/${DOMAIN}/definition([.]ts$|/)`;
const KINDS = "^server/definitions/kinds[.]ts$";
const BROWSER_SAFE = ["^server/(rules|kernel)/", "(^|node_modules/)zod(/|$)"];
// Tests, and the examples and the kit that several tests share.
const TEST = "([.](test|spec)[.]tsx?|/(examples|testing)[.]ts)$";

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
          `^server/${VERB}`,
          `^(db|app|server/(api|${ACROSS}|settings))(/|[.])`,
          "(^|node_modules/)(drizzle-orm|postgres|@orpc/server|next|next-auth)(/|$)",
        ],
      },
    },
    {
      name: "rules-and-kernel-run-in-a-browser",
      severity: "error",
      comment: "A browser gets another module in the place of kernel/temporal.ts (`imports` in package.json).",
      from: { path: "^server/(rules|kernel)/", pathNot: [TEST, "^server/kernel/temporal[.]ts$"] },
      to: { dependencyTypes: ["core"] },
    },
    {
      name: "the-kernel-knows-nobody",
      severity: "error",
      from: { path: "^server/kernel/", pathNot: TEST },
      to: { path: "^(app|db|server)/", pathNot: "^server/kernel/" },
    },
    {
      name: "the-rule-language-knows-the-kernel",
      severity: "error",
      comment: "The form in the browser and the service import the same rules: they stand on the kernel and zod alone.",
      from: { path: "^server/rules/", pathNot: TEST },
      to: { dependencyTypesNot: ["core"], pathNot: ["^server/(rules|kernel)/", "(^|node_modules/)zod(/|$)"] },
    },
    {
      name: "rules-do-no-io",
      severity: "error",
      from: { path: PURE, pathNot: [TEST, "^server/kernel/temporal[.]ts$"] },
      to: { dependencyTypes: ["core"], pathNot: "^(node:)?crypto$" },
    },
    {
      name: "contracts-run-in-a-browser",
      severity: "error",
      comment: "The shapes that every contract of the public API shares are a contract themselves: api/contract.ts.",
      from: { path: CONTRACT },
      to: { pathNot: [CONTRACT, DEFINITION, KINDS, ...BROWSER_SAFE, "(^|node_modules/)@orpc/contract(/|$)"] },
    },
    {
      name: "a-kind-knows-the-rule-language",
      severity: "error",
      comment: "The form in the browser and the service judge a definition by the same module: it stands on rules and kernel alone.",
      from: { path: DEFINITION, pathNot: TEST },
      to: { pathNot: ["^server/$1/definition([.]ts$|/)", ...BROWSER_SAFE] },
    },
    {
      name: "the-list-of-kinds-runs-in-a-browser",
      severity: "error",
      from: { path: KINDS },
      to: { pathNot: [DEFINITION, ...BROWSER_SAFE] },
    },
    {
      name: "only-stores-touch-tables",
      severity: "error",
      from: { path: "^(app|server)/", pathNot: [`^server/(${DOMAIN}|${ACROSS}|engine)/store([.]|/)`, TEST] },
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
      from: { path: [`^server/${DOMAIN}/(service|store|client|settlement)([.]|/)`, `^server/${VERB}`], pathNot: TEST },
      to: { path: "^(server/api|app)/" },
    },
    {
      name: "nobody-below-knows-the-worker",
      severity: "error",
      comment: "The worker calls the domains; the sandbox and the integrity check stand on both. The arrow never turns round.",
      from: { path: `^server/(${DOMAIN}|engine|kernel)/`, pathNot: TEST },
      to: { path: `^server/(${ACROSS}|cli|demo)/` },
    },
    {
      name: "the-worker-knows-domains-alone",
      severity: "error",
      from: { path: "^server/worker/", pathNot: TEST },
      to: { path: `^server/(${oneOf(rooms.ACROSS.filter((room) => room !== "worker"))}|cli|demo)/` },
    },
    {
      name: "screens-see-contracts-and-rules",
      severity: "error",
      comment: "And the edge, for its types and the procedures that pages are rendered with.",
      from: { path: "^app/", pathNot: TEST },
      to: { path: "^(server|db)/", pathNot: [CONTRACT, "^server/(api|rules|kernel)/"] },
    },
    {
      name: "forms-load-with-their-page",
      severity: "error",
      comment: "Every page of the dashboard loads what the app says about the kinds; the forms are loaded by the pages that show one.",
      from: { path: "^app/", pathNot: ["^app/authoring/forms/", "/\\[kind\\]/(new|\\[key\\]/edit)/page[.]tsx$", TEST] },
      to: { path: "^app/authoring/forms/" },
    },
    {
      name: "kinds-stay-light",
      severity: "error",
      comment: "See forms-load-with-their-page.",
      from: { path: "^app/authoring/kinds/", pathNot: TEST },
      to: {
        path: ["^app/authoring/(form|fields|rules|sentences)/", "^server/", "(^|node_modules/)zod(/|$)"],
        pathNot: "^server/kernel/(calendar|thousands)[.]ts$",
        dependencyTypesNot: ["type-only"],
      },
    },
    { name: "server-never-imports-app", severity: "error", from: { path: "^(server|db)/" }, to: { path: "^app/" } },
    {
      name: "db-is-a-leaf",
      severity: "error",
      comment: "The test harness stands beside the database but makes projects the way everybody does, by their verbs.",
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
