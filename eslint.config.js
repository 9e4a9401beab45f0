import { defineConfig } from "eslint/config";
import regexp from "eslint-plugin-regexp";
import tseslint from "typescript-eslint";
import rooms from "./scripts/rooms.cjs";

const oneOf = (names) => `{${names.join(",")}}`;
const ROLES = "{contract,contract.dashboard,store,client,service,procedures,procedures.dashboard}";
const DOMAINS = oneOf(rooms.DOMAINS);

/** Names that a pure rule does not know: what they give differs from one run to the next, or reaches outside. */
const OUTSIDE = ["process", "console", "fetch", "performance", "setTimeout", "setInterval", "setImmediate", "queueMicrotask"];

const forbid = (selector, message) => ({ selector, message });
const TIME_IS_AN_ARGUMENT = "Time is an argument: take `now` from the caller.";
const NO_CHANCE = "A rule gives the same answer every time: take what is random from the caller.";
const NO_WAITING = "A rule is a plain function over plain data: nothing to wait for. Load before it, save after it.";

const IMPURE = [
  forbid("MemberExpression[object.name='Date'][property.name='now']", TIME_IS_AN_ARGUMENT),
  forbid("NewExpression[callee.name='Date'][arguments.length=0]", TIME_IS_AN_ARGUMENT),
  forbid("CallExpression[callee.name='Date']", TIME_IS_AN_ARGUMENT),
  forbid("MemberExpression[object.name='Temporal'][property.name='Now']", TIME_IS_AN_ARGUMENT),
  forbid("MemberExpression[object.name='Math'][property.name='random']", NO_CHANCE),
  forbid("ImportSpecifier[imported.name=/^random/]", NO_CHANCE),
  forbid("MemberExpression[object.name='crypto'][property.name=/random/i]", NO_CHANCE),
  forbid("AwaitExpression", NO_WAITING),
  forbid(":function[async=true]", NO_WAITING),
];

const ENVIRONMENT = forbid(
  "MemberExpression[object.name='process'][property.name='env']",
  "server/settings.ts reads the environment for all.",
);

export default defineConfig(
  { ignores: [".next/", "next-env.d.ts", "node_modules/", "test-results/", "testing/dist/", "playwright-report/"] },
  tseslint.configs.recommended,
  {
    languageOptions: { parserOptions: { project: "tsconfig.json", tsconfigRootDir: import.meta.dirname } },
    linterOptions: { reportUnusedDisableDirectives: "error" },
    plugins: { regexp },
    rules: {
      // A short text must not keep an expression busy for long: one that somebody else wrote holds the whole process.
      "regexp/no-super-linear-backtracking": ["error", { report: "potential" }],
      "regexp/no-super-linear-move": ["error", { report: "potential", ignorePartial: false }],
      eqeqeq: ["error", "smart"],
      "object-shorthand": "error",
      "prefer-const": "error",
      "@typescript-eslint/consistent-type-imports": "error",
      "@typescript-eslint/no-non-null-assertion": "off",
      "@typescript-eslint/no-unused-vars": ["error", { argsIgnorePattern: "^_", varsIgnorePattern: "^_", ignoreRestSiblings: true }],
    },
  },
  {
    files: ["**/*.{ts,tsx}"],
    rules: {
      "@typescript-eslint/no-floating-promises": "error",
      "@typescript-eslint/no-misused-promises": "error",
      "@typescript-eslint/await-thenable": "error",
      // A new kind of objective, fact or event is an error wherever it has to be handled.
      "@typescript-eslint/switch-exhaustiveness-check": ["error", { considerDefaultExhaustiveForUnions: true }],
    },
  },
  { files: ["**/*.{js,mjs,cjs}"], extends: [tseslint.configs.disableTypeChecked] },
  {
    // A test looks into answers whose shape it is there to check.
    files: ["**/*.test.ts", "e2e/**"],
    rules: { "@typescript-eslint/no-explicit-any": "off" },
  },
  {
    files: ["server/**/*.ts", "db/**/*.ts", "app/**/*.{ts,tsx}"],
    ignores: ["server/settings.ts", "**/*.test.ts", "db/testing/**"],
    rules: { "no-restricted-syntax": ["error", ENVIRONMENT] },
  },
  {
    // Pure rules: every file of a domain, of the engine, of the rule language and of the kernel that has no role.
    files: ["server/kernel/*.ts", "server/rules/*.ts", "server/engine/*.ts", `server/${DOMAINS}/{,definition/}*.ts`],
    ignores: [
      `server/${DOMAINS}/${ROLES}.ts`,
      `server/${oneOf(rooms.VERB_ROOMS)}/${oneOf(rooms.VERBS)}{,-*}.ts`,
      "server/engine/{apply,store}.ts",
      "**/*.test.ts",
      "**/{examples,testing}.ts",
    ],
    rules: {
      "no-restricted-globals": ["error", ...OUTSIDE.map((name) => ({ name, message: "A rule knows nothing outside its arguments." }))],
      "no-restricted-syntax": ["error", ENVIRONMENT, ...IMPURE],
    },
  },
);
