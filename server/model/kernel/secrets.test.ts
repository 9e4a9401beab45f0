import { randomBytes } from "node:crypto";
import fc from "fast-check";
import { expect, test } from "vitest";
import { KEY_BYTES, writeApiKey } from "../api-keys/key.ts";
import { TOKEN_BYTES, writePersonalToken } from "../tokens/token.ts";
import { SECRET_BYTES, writeSecret } from "../webhooks/request.ts";
import { withoutSecrets } from "./secrets.ts";

/** Every kind of secret that the service gives out, as its own code writes it. */
const secrets = [
  () => writeApiKey("sandbox", randomBytes(KEY_BYTES)),
  () => writeApiKey("live", randomBytes(KEY_BYTES)),
  () => writePersonalToken(randomBytes(TOKEN_BYTES)),
  () => writeSecret(randomBytes(SECRET_BYTES)),
];

const hex = (character: string, digits: number) => character.charCodeAt(0).toString(16).padStart(digits, "0");
const inCase = (escape: string, isUpper: boolean) => (isUpper ? escape.toUpperCase() : escape);

/** Ways to encode a text again, as clients do: each escapes characters or not, depending on `choices`. */
const encodings: Record<string, (text: string, choose: () => number) => string> = {
  percent: (text, choose) =>
    text.replaceAll(/[\x21-\x7e]/g, (one) => (choose() === 0 && !'%\\"'.includes(one) ? one : `%${inCase(hex(one, 2), choose() === 1)}`)),
  component: (text) => encodeURIComponent(text),
  json: (text, choose) =>
    JSON.stringify(text)
      .slice(1, -1)
      .replaceAll(/\\.|[\x21-\x7e]/g, (one) => {
        if (one.length > 1) return one;
        if (one === "/" && choose() === 1) return "\\/";
        return choose() === 2 ? `\\u${inCase(hex(one, 4), choose() === 1)}` : one;
      }),
};

test("secrets are removed in every encoding and mixture of encodings; the text around them stays", () => {
  fc.assert(
    fc.property(
      fc.nat(secrets.length - 1),
      fc.array(fc.constantFrom(...Object.keys(encodings)), { maxLength: 4 }),
      fc.infiniteStream(fc.nat(2)),
      (kind, names, choices) => {
        const choose = () => choices.next().value as number;
        const secret = secrets[kind]!();
        const written = names.reduce((text, name) => encodings[name]!(text, choose), secret);
        expect(withoutSecrets(`?key=${written}&a=1`)).toBe("?key=[secret]&a=1");
        expect(withoutSecrets(`{"key":"${written}","a":1}`)).toBe('{"key":"[secret]","a":1}');
      },
    ),
    { numRuns: 500 },
  );
});

test("a text without a secret is unchanged, including its escapes", () => {
  fc.assert(
    fc.property(fc.oneof(fc.string({ unit: "binary" }), fc.json(), fc.webUrl({ withQueryParameters: true })), (text) => {
      expect(withoutSecrets(text)).toBe(text);
    }),
  );
});

test("JSON in which secrets were replaced is still JSON, without them", () => {
  const text = fc.string({ unit: fc.constantFrom("\\", '"', "/", "%", "%5C", "%5c", "n", "u0041", "\n", "é", "🙂", " ", "a", "=") });
  fc.assert(
    fc.property(fc.nat(secrets.length - 1), text, text, (kind, before, after) => {
      const secret = secrets[kind]!();
      const written = JSON.stringify({ [before + secret]: [before + secret + after] }).replaceAll("/", String.raw`\/`);
      expect(JSON.stringify(JSON.parse(withoutSecrets(written)))).not.toContain(secret.slice(8));
    }),
  );
});

test.each([["%25".repeat(50_000)], ["\\".repeat(100_000)], [`%${"25".repeat(50_000)}`], [String.raw`\u005c` + "u005c".repeat(20_000)]])(
  "a text of nothing but escapes is looked through a bounded number of times",
  (text) => {
    expect(withoutSecrets(text)).toBe(text);
  },
);
