import { defineConfig } from "oxlint";

/** Names that the model does not know: what they give differs from one run to the next, or reaches outside. */
const OUTSIDE = ["process", "console", "fetch", "performance", "setTimeout", "setInterval", "setImmediate", "queueMicrotask"];

const TESTS = ["**/*.test.ts", "e2e/**", "rehearsals/**", "testing/**"];

export default defineConfig({
  ignorePatterns: [".next", "next-env.d.ts", "node_modules", "test-results", "playwright-report", "testing/dist", "packages/*/dist"],
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
      files: ["server/**/*.ts", "db/**/*.ts", "{app,web}/**/*.{ts,tsx}"],
      excludeFiles: ["server/process/settings.ts", "**/*.test.ts", "db/harness/**"],
      rules: { "house/settings-alone": "error" },
    },
    {
      // What things mean: plain functions over plain data, without a clock. The fold over them is as pure.
      files: ["server/model/**/*.ts", "server/engine/{activity,advance,effects,simulate}.ts"],
      excludeFiles: ["**/*.test.ts", "**/testing.ts", "**/testing/*.ts"],
      rules: {
        "no-restricted-globals": ["error", ...OUTSIDE.map((name) => ({ name, message: "A rule knows nothing outside its arguments." }))],
        "house/pure": "error",
      },
    },
  ],
});
