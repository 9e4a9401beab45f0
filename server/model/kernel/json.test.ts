import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { Decimal, type Numeric, simplify } from "./decimal.ts";
import { badTextIn, findBadTexts, hasBadText, jsonPointer, mayHoldBadText, parseJson, parseJsonInSteps, writeJson } from "./json.ts";
import { JsonReader, memberNames } from "./json-reader.ts";

const decimal = (text: string): Decimal => Decimal.parse(text)!;

const numberTexts = fc.oneof(
  fc.constantFrom("-0", "-0.0", "0.000001"),
  fc.stringMatching(/^-?(0|[1-9][0-9]{0,24})(\.[0-9]{1,12})?([eE][+-]?[0-9]{1,2})?$/),
  fc.stringMatching(/^-?0\.0{5,9}[0-9]{1,4}$/),
  fc.double({ noNaN: true, noDefaultInfinity: true }).map((n) => JSON.stringify(n)),
);
const stringTexts = fc
  .oneof(fc.string({ unit: "binary" }), fc.string(), fc.uuid(), fc.stringMatching(/^[0-9e.+\\"[{]{0,30}$/))
  .map((text) => JSON.stringify(text));
/**
 * Without the name "\\" on macOS, whose latest package has Node.js 26.10: after it, `JSON.parse` there reads another escaped name of one
 * character in its place as "\\", too.
 */
const names = fc.oneof(
  stringTexts.filter((text) => process.platform !== "darwin" || text !== String.raw`"\\"`),
  fc.constantFrom('"__proto__"', '"constructor"', '"a"', '"1"'),
);

/** JSON texts of every shape, with duplicate members and numbers of any width. */
const { json: jsonTexts } = fc.letrec<{ json: string }>((tie) => ({
  json: fc.oneof(
    { maxDepth: 5 },
    numberTexts,
    stringTexts,
    fc.constantFrom("true", "false", "null", "[ ]", "{\n}"),
    fc.array(tie("json"), { maxLength: 5 }).map((items) => `[${items.join(" , ")}]`),
    fc
      .array(fc.tuple(names, tie("json")), { maxLength: 5 })
      .map((members) => `{${members.map(([name, value]) => `${name}: ${value}`).join(",")}}`),
  ),
}));

/** Reads as `parseJson` does, but with `JSON.parse` and its access to the source text. */
function readBySource(text: string): unknown {
  const exact = (_name: string, value: unknown, { source }: { source?: string }): unknown => {
    if (typeof value !== "number") return value;
    const exact = Decimal.parse(source!);
    return exact === null ? (source!.startsWith("-") ? -Infinity : Infinity) : simplify(exact);
  };
  return JSON.parse(text, exact as (name: string, value: unknown) => unknown);
}

function readWhole(text: string): unknown {
  const reader = new JsonReader(text);
  while (!reader.read(3));
  return reader.value;
}

function outcomeOf(read: () => unknown): unknown {
  try {
    return writeJson(read());
  } catch (error) {
    return error instanceof SyntaxError ? SyntaxError : error;
  }
}

describe("JSON is read without losing a digit", () => {
  test.each([
    ["12345678901234567890.12345678", "12345678901234567890.12345678"],
    ["-12345678901234567890.12345678", "-12345678901234567890.12345678"],
    ["9007199254740993", "9007199254740993"],
    ["9999999999999999", "9999999999999999"],
    ["0.1000000000000000055", "0.1000000000000000055"],
    ["1e2", "100"],
    ["1.0e+2", "100"],
    ["-1E2", "-100"],
    ["-0", "0"],
    ["-0e5", "0"],
    ["1e-8", "0.00000001"],
    ["0.00000012", "0.00000012"],
    ["-0.0000001", "-0.0000001"],
    ["1.50", "1.5"],
    ["1e59", `1${"0".repeat(59)}`],
    ["1e-60", `0.${"0".repeat(59)}1`],
  ])("%s", (text, expected) => {
    expect(writeJson(parseJson(text))).toBe(expected);
    expect(writeJson(parseJson(`{"a":[${text} ,{"b":${text}}]}`))).toBe(`{"a":[${expected},{"b":${expected}}]}`);
  });

  test("equals JSON.parse with access to the source text", () => {
    fc.assert(
      fc.property(jsonTexts, (text) => {
        const read = parseJson(text);
        expect(read).toEqual(readBySource(text));
        expect(writeJson(read)).toBe(writeJson(readBySource(text)));
      }),
      { numRuns: 500 },
    );
  });

  test("written values parse back to the same", () => {
    fc.assert(
      fc.property(jsonTexts, (text) => {
        const written = writeJson(parseJson(text));
        expect(writeJson(parseJson(written))).toBe(written);
      }),
    );
  });

  test("numbers of at most 15 digits are plain, also beside wide ones", () => {
    const read = parseJson('{"wide":12345678901234567890,"exponent":1e2,"plain":12.34,"long":123456789.012345,"safe":9007199254740991}');
    expect(read).toEqual({
      wide: decimal("12345678901234567890"),
      exponent: 100,
      plain: 12.34,
      long: 123456789.012345,
      safe: 9007199254740991,
    });
  });

  test("numbers with too many digits become infinite and affect nothing else", () => {
    expect(parseJson("[1e5000,-1e5000,1e-5000,0e5000,7]")).toEqual([Infinity, -Infinity, Infinity, 0, 7]);
    expect(parseJson(`[${"9".repeat(4_000_000)},1]`)).toEqual([Infinity, 1]);
  });

  test("a string that looks like a number stays a string", () => {
    const text = '{"1e5":"1e5","a\\"1e5":"\\\\","b":"\\\\\\"12345678901234567890","c":"[[[{{{"}';
    expect(parseJson(text)).toEqual(JSON.parse(text));
  });

  test("a text with very many values is read in steps, with the same result as by JSON.parse", () => {
    const items = Array.from({ length: 60_000 }, (_, at) => `{"a${at % 7}":[${at},"x\\u00e9",true,null,{}],"b":[[],-0.5]}`);
    const text = `[${items.join(", ")}]`;
    const steps = parseJsonInSteps(text);
    let count = 0;
    let step = steps.next();
    for (; step.done !== true; step = steps.next()) count++;
    expect(count).toBeGreaterThan(100);
    expect(JSON.stringify(step.value)).toBe(JSON.stringify(JSON.parse(text)));
  });

  test("the interruptible reader accepts and refuses the same texts as JSON.parse", () => {
    const edits = fc.record({
      at: fc.nat(200),
      cut: fc.nat(2),
      put: fc.constantFrom("", "-", "0", "1e5", '"', "\\", "[", "}", ",", ":", " ", "t"),
    });
    fc.assert(
      fc.property(jsonTexts, edits, (text, { at, cut, put }) => {
        for (const one of [text, text.slice(0, at) + put + text.slice(at + cut)]) {
          const expected = outcomeOf(() => readBySource(one));
          expect(outcomeOf(() => readWhole(one))).toEqual(expected);
        }
      }),
      { numRuns: 500 },
    );
  });

  test("the names of an object with many members are reported as sent, each once", () => {
    const members = Array.from({ length: 30_000 }, (_, at) => `"m${at % 20_000}":${at}`);
    const read = parseJson(`{${members.join()},"__proto__":1,"m1":2}`) as object;
    expect(memberNames(read)).toEqual([...Array.from({ length: 20_000 }, (_, at) => `m${at}`), "__proto__"]);
    expect(memberNames(read)).toEqual(Object.keys(read));
  });

  test("many wide numbers keep their positions", () => {
    const numbers = Array.from({ length: 20_000 }, (_, at) => `${at % 2 ? "-" : ""}${at + 1}1234567890.1234567${(at % 9) + 1}`);
    expect(writeJson(parseJson(`[${numbers.join()}]`))).toBe(`[${numbers.join()}]`);
  });
});

describe("text that is not JSON is refused", () => {
  const bad = [
    ["", "nul", "[1,]", "{a:1}", "'a'", "[1 2]", "\u00a01", '"\n"', '"\0"', '"a', '"\\', '"\\"', "]", "}{", "[1e5}", "// 1\n1"],
    ["01e2", "1.e5", ".1e5", "1e", "1e+", "-", "--1e5", "+1e5", "1-2e5", "1e5-3", "1.2.3e5", "1e5e5", "1e5.5", "0x1e5", "1e5a", "a1e5"],
    ["NaN", "Infinity", "00000000000000000000", "12345678901234567890.", "1234567890123456789 0", "01e99999", "1e300 1e300"],
  ].flat();
  test.each(bad)("%j", (text) => {
    expect(() => parseJson(text)).toThrow(SyntaxError);
    expect(() => parseJson(`[1e5,${text}]`)).toThrow(SyntaxError);
  });

  test("an edited text is refused exactly when JSON.parse refuses it", () => {
    const edits = fc.record({
      at: fc.nat(200),
      cut: fc.nat(2),
      put: fc.constantFrom("", "-", "+", ".", "e", "1", "0", "1e5", '"', "[", "]", "{", "}", ",", " "),
    });
    fc.assert(
      fc.property(jsonTexts, edits, (text, { at, cut, put }) => {
        const edited = text.slice(0, at) + put + text.slice(at + cut);
        expect(refuses(() => parseJson(edited))).toBe(refuses(() => JSON.parse(edited)));
      }),
      { numRuns: 500 },
    );
  });

  function refuses(read: () => unknown): boolean {
    try {
      read();
      return false;
    } catch (error) {
      expect(error).toBeInstanceOf(SyntaxError);
      return true;
    }
  }
});

describe("deep nesting does no harm", () => {
  test("a thousand levels are read", () => {
    const text = `${'{"a":['.repeat(500)}1e2${"]}".repeat(500)}`;
    expect(writeJson(parseJson(text))).toBe(text.replace("1e2", "100"));
  });

  test.each(["[", '{"a":', '[{"a":'])("a million of %s are refused", (open) => {
    const close = open
      .replaceAll("[", "]")
      .replaceAll(/\{"a":/g, "}")
      .split("")
      .reverse()
      .join("");
    expect(() => parseJson(open.repeat(1_000_000))).toThrow(SyntaxError);
    expect(() => parseJson(`${open.repeat(1_000_000)}1e2${close.repeat(1_000_000)}`)).toThrow(SyntaxError);
  });

  test("closed brackets do not count as depth", () => {
    expect(parseJson(`[${"[],".repeat(5000)}{}]`)).toHaveLength(5001);
  });
});

describe("members keep their names", () => {
  test.each([
    '{"__proto__":{"polluted":1}}',
    '{"__proto__":{"polluted":1e5},"__proto__":{"polluted":1e2}}',
    '{"__proto__":1e5}',
    '{"__proto__":null}',
  ])("__proto__ is a member like any other: %s", (text) => {
    const read = parseJson(text) as object;
    expect(Object.keys(read)).toEqual(["__proto__"]);
    expect(Object.getPrototypeOf(read)).toBe(Object.prototype);
    expect(Object.hasOwn(read, "polluted") || "polluted" in read).toBe(false);
  });

  test("of duplicate members the last counts", () => {
    expect(parseJson('{"a":1e2,"a":2}')).toEqual({ a: 2 });
    expect(parseJson('{"a":2,"b":{"c":12345678901234567890},"a":1e2,"b":1e1}')).toEqual({ a: 100, b: 10 });
  });
});

describe("text that cannot be stored is found", () => {
  test.each<[string, ...string[]]>([
    ['{"a":["\\u0000"]}', "#/a/0"],
    ['{"a":["ok","x\\ud800y"]}', "#/a/1"],
    ['{"a":["ok","x\\uDFFFy"]}', "#/a/1"],
    ['"\\u0000"', "#"],
    ['{"a":{"b\\u0000":1}}', "#/a/b%00"],
    ['{"a":{"\\ud800":"fine"}}', "#/a/%EF%BF%BD"],
    ['{"x/y~z é":"\\udc00\\ud800"}', "#/x~1y~0z%20%C3%A9"],
    ['{"first":"\\u0000","second":"\\u0000"}', "#/first", "#/second"],
    ['[[1,{"a":"fine"}],{"b":[12345678901234567890,"\\u0000"]}]', "#/1/b/1"],
    ['{"__proto__":["\\u0000"]}', "#/__proto__/0"],
    ['{"a":"\\ud83d\\ude00","b":"😀","c":"\\\\u0000","d":"\\u0001"}'],
    ['{"a":1}'],
  ])("%s: %s", (text, ...expected) => {
    expect(findBadTexts(text, parseJson(text), 9)).toEqual(expected);
    expect(findBadTexts(text, parseJson(text), 1)).toEqual(expected.slice(0, 1));
  });

  test("raw lone surrogates count too", () => {
    expect(findBadTexts('{"a":"\ud800"}', { a: "\ud800" }, 1)).toEqual(["#/a"]);
    expect(hasBadText("\ud83d\ude00 fine é")).toBe(false);
    expect(hasBadText("\ude00\ud83d")).toBe(true);
    expect(hasBadText("a\0")).toBe(true);
  });

  test("a text without any is cleared by its raw form alone", () => {
    fc.assert(
      fc.property(fc.json(), (text) => {
        expect(mayHoldBadText(text) || badTextIn(JSON.parse(text)) === null).toBe(true);
      }),
    );
    expect(mayHoldBadText('{"a":"\\u00e9 \\n"}')).toBe(false);
    expect(mayHoldBadText('{"a":"\\ud83d\\ude00 \\\\u0000 \\u00001"}')).toBe(true);
    expect(mayHoldBadText('{"a":"\\uD83D\\uDE00 \\\\u0000 \\\\\\\\ud800 \\u0010"}')).toBe(false);
  });

  test("bad text is found at every depth that can be read", () => {
    expect(badTextIn(parseJson(`${"[".repeat(1_000)}"\\u0000"${"]".repeat(1_000)}`))).toMatch(/^#(\/0)+$/);
  });
});

test("a pointer is a URI fragment", () => {
  expect(jsonPointer([])).toBe("#");
  expect(jsonPointer(["attributes", "tier"])).toBe("#/attributes/tier");
  expect(jsonPointer(["a/b", 0, "~"])).toBe("#/a~1b/0/~0");
});

test("an overlong pointer is cut to its nearest ancestor", () => {
  expect(jsonPointer(["attributes", "k".repeat(200), "value"])).toBe(`#/attributes/${"k".repeat(200)}/value`);
  expect(jsonPointer(["attributes", "k".repeat(201), "value"])).toBe("#/attributes");
  expect(jsonPointer(Array.from({ length: 1_000 }, () => "nested")).length).toBeLessThan(1_100);
});

test("writeJson returns JSON for undefined too", () => {
  expect(writeJson(undefined)).toBe("null");
  expect(writeJson([undefined, 1 satisfies Numeric])).toBe("[null,1]");
});
