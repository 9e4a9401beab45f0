import { defineConfig } from "oxlint";

/** Globals that the model must not use: their results differ from run to run, or they do I/O. */
const OUTSIDE = ["process", "console", "fetch", "performance", "setTimeout", "setInterval", "setImmediate", "queueMicrotask"];

const TESTS = ["**/*.test.ts", "e2e/**", "rehearsals/**", "testing/**"];

export default defineConfig({
  ignorePatterns: [".next", "next-env.d.ts", "node_modules", "test-results", "playwright-report", "testing/dist", "packages/*/dist"],
  plugins: ["typescript", "oxc", "eslint"],
  jsPlugins: ["eslint-plugin-regexp", "./scripts/lint-rules.mjs"],
  categories: { correctness: "off" },
  options: { typeAware: true, typeCheck: true, reportUnusedDisableDirectives: "error" },
  rules: {
    // A regular expression must not take long on a short text: texts come from strangers, and matching blocks the whole process.
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
    // A new kind of objective, fact or event is a lint error wherever it is not handled.
    "typescript/switch-exhaustiveness-check": ["error", { considerDefaultExhaustiveForUnions: true }],
  },
  overrides: [
    // Tests read members of responses whose shape they check.
    { files: TESTS, rules: { "typescript/no-explicit-any": "off" } },
    { files: ["**/*.cjs"], rules: { "typescript/no-require-imports": "off" } },
    {
      files: ["server/**/*.ts", "db/**/*.ts", "{app,web}/**/*.{ts,tsx}"],
      excludeFiles: ["server/process/settings.ts", "**/*.test.ts", "db/testing/**"],
      rules: { "house/settings-alone": "error" },
    },
    {
      // The rules of the domain are plain functions over plain data, without a clock. The fold over them is as pure.
      files: ["server/model/**/*.ts", "server/engine/{activity,advance,effects,simulate}.ts"],
      excludeFiles: ["**/*.test.ts", "**/testing.ts", "**/testing/*.ts"],
      rules: {
        "no-restricted-globals": ["error", ...OUTSIDE.map((name) => ({ name, message: "A rule knows nothing outside its arguments." }))],
        "house/pure": "error",
      },
    },
  ],
});
