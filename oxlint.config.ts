import { defineConfig } from "oxlint";
import rooms from "./scripts/rooms.cjs";

const oneOf = (names: readonly string[]) => `{${names.join(",")}}`;
const ROLES = "{contract,contract.dashboard,store,client,service,procedures,procedures.dashboard}";
const DOMAINS = oneOf(rooms.DOMAINS);

/** Names that a pure rule does not know: what they give differs from one run to the next, or reaches outside. */
const OUTSIDE = ["process", "console", "fetch", "performance", "setTimeout", "setInterval", "setImmediate", "queueMicrotask"];

const TESTS = ["**/*.test.ts", "e2e/**", "testing/**"];

export default defineConfig({
  ignorePatterns: [".next", "next-env.d.ts", "node_modules", "test-results", "playwright-report", "testing/dist"],
  plugins: ["typescript", "oxc", "eslint"],
  jsPlugins: ["eslint-plugin-regexp", "./scripts/lint-rules.mjs"],
  categories: { correctness: "off" },
  options: { typeAware: true, typeCheck: true, reportUnusedDisableDirectives: "error" },
  rules: {
    // A short text must not keep an expression busy for long: one that somebody else wrote holds the whole process.
    "regexp/no-super-linear-backtracking": ["error", { report: "potential" }],
    "regexp/no-super-linear-move": ["error", { report: "potential", ignorePartial: false }],
    eqeqeq: ["error", "smart"],
    "object-shorthand": "error",
    "prefer-const": "error",
    "no-var": "error",
    "no-unused-vars": ["error", { argsIgnorePattern: "^_", varsIgnorePattern: "^_", ignoreRestSiblings: true }],
    "typescript/ban-ts-comment": "error",
    "typescript/consistent-type-imports": "error",
    "typescript/no-empty-object-type": "error",
    "typescript/no-explicit-any": "error",
    "typescript/no-namespace": "error",
    "typescript/no-require-imports": "error",
    "typescript/no-unsafe-function-type": "error",
    "typescript/no-floating-promises": "error",
    "typescript/no-misused-promises": "error",
    "typescript/await-thenable": "error",
    // A new kind of objective, fact or event is an error wherever it has to be handled.
    "typescript/switch-exhaustiveness-check": ["error", { considerDefaultExhaustiveForUnions: true }],
  },
  overrides: [
    // A test looks into answers whose shape it is there to check.
    { files: TESTS, rules: { "typescript/no-explicit-any": "off" } },
    { files: ["**/*.cjs"], rules: { "typescript/no-require-imports": "off" } },
    {
      files: ["server/**/*.ts", "db/**/*.ts", "app/**/*.{ts,tsx}"],
      excludeFiles: ["server/settings.ts", "**/*.test.ts", "db/testing/**"],
      rules: { "house/settings-alone": "error" },
    },
    {
      // Pure rules: every file of a domain, of the engine, of the rule language and of the kernel that has no role.
      files: ["server/kernel/*.ts", "server/rules/*.ts", "server/engine/*.ts", `server/${DOMAINS}/{,definition/}*.ts`],
      excludeFiles: [
        `server/${DOMAINS}/${ROLES}.ts`,
        `server/${oneOf(rooms.VERB_ROOMS)}/${oneOf(rooms.VERBS)}{,-*}.ts`,
        "server/engine/{apply,store}.ts",
        "**/*.test.ts",
        "**/{examples,testing}.ts",
      ],
      rules: {
        "no-restricted-globals": ["error", ...OUTSIDE.map((name) => ({ name, message: "A rule knows nothing outside its arguments." }))],
        "house/pure": "error",
      },
    },
  ],
});
