/** The catalogue of known attacks: bodies that once blocked the process or filled its memory, or that do so in other servers. */

/** A JSON value of about this many bytes, as text. */
type Value = (size: number) => string;

const many = (unit: string, size: number): string => unit.repeat(Math.max(1, Math.floor(size / unit.length)));
const listed =
  (item: string): Value =>
  (size) =>
    `[${many(`${item},`, size - item.length - 2)}${item}]`;
const nestedIn =
  (open: string, close: string): Value =>
  (size) => {
    const levels = Math.floor(size / (open.length + close.length));
    return `${open.repeat(levels)}1${close.repeat(levels)}`;
  };
const members =
  (name: (at: number) => string, value: string): Value =>
  (size) => {
    const count = Math.max(1, Math.floor(size / (name(100_000).length + value.length + 4)));
    return `{${Array.from({ length: count }, (_, at) => `"${name(at)}":${value}`).join()}}`;
  };
const text =
  (unit: string, end = ""): Value =>
  (size) =>
    `"${many(unit, size - end.length - 2)}${end}"`;
/** The bytes of an upload. */
const encoded =
  (unit: string, most: number): Value =>
  (size) =>
    `"${Buffer.from(many(unit, Math.min(most, (size * 3) / 4 - 8))).toString("base64")}"`;
/** A JSON document as a text value of another one. */
const inText =
  (value: Value): Value =>
  (size) =>
    JSON.stringify(value(size / 2));

const VALUES: Record<string, Value> = {
  // Numbers whose exact value takes long to compute, or much memory.
  "numbers with huge exponents": listed("1e999"),
  "numbers with tiny exponents": listed("1e-999"),
  "exponents of many digits": listed(`1e${"9".repeat(300)}`),
  "numbers wider than can be stored": listed("123456789012345678901.123456789"),
  "widest numbers that can be stored": listed("12345678901234567890.12345678"),
  "one number of digits alone": (size) => "9".repeat(size),
  "one number of zeros after the point": (size) => `0.${"0".repeat(size)}1`,
  "one number that ends on zeros": (size) => `1.${"0".repeat(size)}`,
  "one number of zeros before its exponent": (size) => `1${"0".repeat(size)}e-${size}`,
  "lists nested deep": nestedIn("[", "]"),
  "objects nested deep": nestedIn('{"a":', "}"),
  "filters nested deep": nestedIn('{"all":[', "]}"),
  "negations nested deep": nestedIn('{"not":', "}"),
  "a key of megabytes": (size) => `{"${"k".repeat(size)}":1}`,
  "keys of kilobytes": members((at) => `${at}`.padEnd(4_000, "k"), "1"),
  "hundred thousands of members": members((at) => `k${at}`, "1"),
  "hundred thousands of null members": members((at) => `k${at}`, "null"),
  "members that are indexes": members((at) => `${4_294_967_294 - at}`, "1"),
  "one member again and again": members(() => "playerId", '"x"'),
  "attributes by the hundred thousand": members((at) => `a${at}`, '{"value":1}'),
  // Empty collections: the most objects for the fewest bytes.
  "empty objects": listed("{}"),
  "empty lists": listed("[]"),
  "lists of lists": listed("[[[]]]"),
  nulls: listed("null"),
  "short texts": listed('""'),
  "zeros below zero": listed("-0"),
  "items with everything wrong": listed('{"playerId":1,"event":[],"occurredAt":{},"idempotencyKey":0,"properties":""}'),
  "items that nearly fit": listed('{"playerId":"p","event":"order_placed","occurredAt":"2026-11-22T00:00:00Z","properties":{"x":1}}'),
  // Prototypes.
  "__proto__ nested deep": nestedIn('{"__proto__":', "}"),
  "__proto__ again and again": members(() => "__proto__", '{"isAdmin":true}'),
  "constructors nested": nestedIn('{"constructor":{"prototype":', "}}"),
  // Texts.
  "one long text": text("x"),
  "a text of NULs": text("\\u0000"),
  "a text of lone surrogates": text("\\ud800"),
  "a text of backslashes and quotes": text('\\\\\\"'),
  "a text of signs of four bytes": text("😀"),
  "a text of accents": text("e\u0301"),
  "blanks before a letter": text(" ", "x"),
  "line ends": text("\\n"),
  "digits for a date": text("2026-01-31T", "Z"),
  "zeros of a second": (size) => `"2026-01-31T09:00:00.${"0".repeat(size)}Z"`,
  "at signs": text("a@"),
  "percent signs": text("%"),
  "opening brackets in a text": text("["),
  // Drawings (SVG): checking them must take linear time.
  "comments before a drawing": text("<!---->"),
  "comments before a drawing, encoded": encoded("<!---->", 280),
  "long comments before a drawing, encoded": encoded("<!---->", 1_000_000),
  "openings of comments, encoded": encoded("<!--", 1_000_000),
  "addresses in a drawing, encoded": (size) =>
    `"${Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg" width="1" height="1"><style>${many("url(", Math.min(size, 600_000))}</style></svg>`).toString("base64")}"`,
  "a drawing of nested groups, encoded": (size) =>
    `"${Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg" width="1" height="1">${many("<g>", Math.min(size / 2, 500_000))}</svg>`).toString("base64")}"`,
  "entities in a drawing, encoded": encoded('<!DOCTYPE svg [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;">]><svg>&b;', 1_000_000),
  // Documents inside documents.
  "huge exponents in a document": inText(listed("1e999")),
  "empty objects in a document": inText(listed("{}")),
  "members by the hundred thousand in a document": inText(members((at) => `k${at}`, "1")),
  "filters nested deep in a document": inText(
    (size) => `{"key":"x","name":"x","objectives":[{"event":"order_placed","filter":${nestedIn('{"all":[', "]}")(size)}}]}`,
  ),
  "objectives by the hundred thousand in a document": inText(
    (size) =>
      `{"key":"x","name":"x","objectives":${listed('{"event":"order_placed","operator":"GreaterThanOrEqualTo","target":1}')(size)}}`,
  ),
  "missions by the thousand in a file": inText(
    (size) => `{"version":1,"missions":${listed('{"key":"x","name":"x","objectives":[],"rewards":[]}')(size)}}`,
  ),
};

/** A body that is no JSON value, or a value with something around it. */
export interface RawAttack {
  headers: Record<string, string>;
  bytes(size: number): Buffer;
}

const parts = (unit: (at: number) => string) => (size: number) => {
  const chosen: string[] = [];
  let length = 0;
  while (length < size - 200) {
    const part = unit(chosen.length);
    chosen.push(part);
    length += part.length;
  }
  return Buffer.from(`${chosen.join("")}--x--\r\n`);
};
const FORM = { "content-type": "multipart/form-data; boundary=x" };
const ENCODED = { "content-type": "application/x-www-form-urlencoded" };
const JSON_TYPE = { "content-type": "application/json" };
const ACTION = "40".padEnd(42, "a");

export const RAW: Record<string, RawAttack> = {
  "a form of thousands of parts": {
    headers: FORM,
    bytes: parts((at) => `--x\r\nContent-Disposition: form-data; name="${at}"\r\n\r\nv\r\n`),
  },
  "a form of one name": { headers: FORM, bytes: parts(() => '--x\r\nContent-Disposition: form-data; name="0"\r\n\r\n["$K1"]\r\n') },
  "a form of files": { headers: FORM, bytes: parts(() => '--x\r\nContent-Disposition: form-data; name="f"; filename="f"\r\n\r\n\r\n') },
  "a form that never ends": { headers: FORM, bytes: (size) => Buffer.alloc(size, "--x\r\n") },
  "a form for an action": {
    headers: { ...FORM, "next-action": ACTION },
    bytes: parts((at) => `--x\r\nContent-Disposition: form-data; name="1_${at}"\r\n\r\n"$F1"\r\n`),
  },
  "references for an action": {
    headers: { "content-type": "text/plain", "next-action": ACTION },
    bytes: (size) => Buffer.from(listed('"$1:a:b"')(size)),
  },
  "an encoded form of thousands of fields": { headers: ENCODED, bytes: (size) => Buffer.alloc(size, "a=b&") },
  "bytes that are no UTF-8": { headers: JSON_TYPE, bytes: (size) => Buffer.alloc(size, 0xff) },
  "surrogates as UTF-8": {
    headers: JSON_TYPE,
    bytes: (size) => Buffer.concat([Buffer.from('{"a":"'), Buffer.alloc(size - 8, Buffer.from([0xed, 0xa0, 0x80])), Buffer.from('"}')]),
  },
  "NUL bytes": { headers: JSON_TYPE, bytes: (size) => Buffer.alloc(size) },
  "blanks alone": { headers: JSON_TYPE, bytes: (size) => Buffer.alloc(size, " ") },
  "brackets that never close": { headers: JSON_TYPE, bytes: (size) => Buffer.alloc(size, "[") },
  "quotes that never close": { headers: JSON_TYPE, bytes: (size) => Buffer.alloc(size, '\\"') },
  "JSON in UTF-16": {
    headers: { "content-type": "application/json; charset=utf-16" },
    bytes: (size) => Buffer.from(listed("1")(size / 2), "utf16le"),
  },
  "a body that says it is compressed": { headers: { ...JSON_TYPE, "content-encoding": "gzip" }, bytes: (size) => Buffer.alloc(size, 0x1f) },
  "types set in the envelope": {
    headers: JSON_TYPE,
    bytes: (size) => Buffer.from(`{"json":{"project":"/(a+)+$/"},"meta":${listed('[5,"project"]')(size - 60)}}`),
  },
};

export const ATTACKS: readonly ({ name: string; value: Value } | { name: string; raw: RawAttack })[] = [
  ...Object.entries(VALUES).map(([name, value]) => ({ name, value })),
  ...Object.entries(RAW).map(([name, raw]) => ({ name, raw })),
];
