import { describe, expect, it, test } from "vitest";
import type { Player } from "../kernel/player.ts";
import { qualifies } from "../rules/condition.ts";
import { DefinitionsInMemory, fileOf, mission, problemsOf, withMissions, withRule } from "./testing/in-memory.ts";

const rich = { points: "Balance", operator: "GreaterThan", value: 100 };
const segment = (key: string, rule: object, more: object = {}) => ({ key, name: key.toUpperCase(), rule, ...more });
const nested = (depth: number, rule: object): object => (depth === 0 ? rule : { any: [nested(depth - 1, rule)] });
const names = (key: string) => ({ segment: key });

describe("a segment cannot contain itself", () => {
  test.each<[what: string, segments: object[], problems: [at: string, cycle: string][]]>([
    ["directly", [segment("a", names("a"))], [["/segments/0/rule/segment", "a → a"]]],
    ["through another one", [segment("a", names("b")), segment("b", names("a"))], [["/segments/1/rule/segment", "a → b → a"]]],
    [
      "deep in all, any and not",
      [segment("a", { all: [rich, { not: names("b") }] }), segment("b", { any: [rich, { not: { all: [rich, names("a")] } }] })],
      [["/segments/1/rule/any/1/not/all/1/segment", "a → b → a"]],
    ],
    [
      "in a cycle that other segments lead to, of inactive segments",
      [
        segment("first", names("a")),
        segment("a", names("b"), { active: false }),
        segment("b", names("c"), { active: false }),
        segment("c", { any: [names("a"), rich] }, { active: false }),
      ],
      [["/segments/3/rule/any/0/segment", "a → b → c → a"]],
    ],
    [
      "in two ways",
      [segment("a", { any: [names("b"), names("a")] }), segment("b", names("a"))],
      [
        ["/segments/0/rule/any/1/segment", "a → a"],
        ["/segments/1/rule/segment", "a → b → a"],
      ],
    ],
  ])("%s", (_, segments, problems) =>
    expect(problemsOf(fileOf({ segments })).filter((problem) => problem.includes("contain"))).toEqual(
      problems.map(([at, cycle]) => `${at}: a segment cannot contain itself: ${cycle}; take this reference out`),
    ),
  );

  it("not even through a stored segment; the problem points to where the file enters the cycle", () => {
    const definitions = DefinitionsInMemory.after(fileOf({ segments: [segment("a", rich), segment("b", names("a"))] }));
    expect(definitions.problems(fileOf({ segments: [segment("a", { all: [names("b")] })] }))).toEqual([
      "/segments/0/rule/all/0/segment: a segment cannot contain itself: a → b → a; take this reference out",
    ]);
  });

  it("but may be named by many segments, and twice by one", () => {
    const segments = [segment("d", { any: [names("b"), names("c")] }), segment("b", names("a")), segment("c", { not: names("a") })];
    expect(
      problemsOf(fileOf({ segments: [...segments, segment("a", { all: [rich, rich] }), segment("e", { any: [names("d"), names("d")] })] })),
    ).toEqual([]);
  });

  it("and a cycle of thousands is one problem of limited length", () => {
    const segments = Array.from({ length: 5_000 }, (_, at) => segment(`s${at}`, names(`s${(at + 1) % 5_000}`)));
    expect(problemsOf(fileOf({ segments }))).toEqual([
      "/segments/4999/rule/segment: a segment cannot contain itself: s0 → s1 → s2 → s3 → s4 → s5 → s6 → s7 → s8 → s9 → … (4990 more) → s0; take this reference out",
    ]);
  });
});

describe("a rule is bounded with its segments inlined", () => {
  const TOO_LARGE = "would have more than 5000 parts; make it simpler";
  const doubled = Array.from({ length: 30 }, (_, at) =>
    segment(`s${at}`, at === 0 ? rich : { any: [names(`s${at - 1}`), names(`s${at - 1}`)] }),
  );

  it("segments that double are refused at the first that is too large", () => {
    expect(problemsOf(fileOf({ segments: doubled.slice(0, 11) }))).toEqual([]);
    // Later segments are checked as if that one were fixed.
    expect(problemsOf(fileOf({ segments: doubled }))).toEqual(
      [11, 22].map(
        (at) => `/segments/${at}/rule: with the segments that it names written out, the rule of the segment "s${at}" ${TOO_LARGE}`,
      ),
    );
  });

  it("the rule of a mission is refused too, as is a stored rule that grows through the file", () => {
    const audience = { any: [names("s10"), names("s10")] };
    expect(problemsOf(withRule(audience, ...doubled.slice(0, 11)))).toEqual([
      `/missions/0/audience/rule: with the segments that it names written out, the rule of the mission "m" ${TOO_LARGE}`,
    ]);
    const definitions = DefinitionsInMemory.after({
      ...(withMissions(mission({ audience: { rule: names("s10") } })) as object),
      segments: doubled.slice(0, 11),
    });
    expect(definitions.problems(fileOf({ segments: [segment("s0", { all: [rich, rich, rich, rich] })] }))).toEqual([
      `/segments: with the segments that it names written out, the rule of the segment "s10" ${TOO_LARGE}`,
    ]);
  });

  it("a chain is refused before it nests too deeply to be evaluated", () => {
    const segments = Array.from({ length: 100 }, (_, at) => segment(`s${at}`, nested(28, at === 0 ? rich : names(`s${at - 1}`))));
    expect(problemsOf(fileOf({ segments }))).toEqual([
      '/segments/72/rule: with the segments that it names written out, the rule of the segment "s72" would be nested more than 2100 levels deep; make it simpler',
    ]);
    const { missions } = DefinitionsInMemory.after(withRule(names("s71"), ...segments.slice(0, 72).reverse())).compile();
    expect(qualifies({ balance: 101 } as Player, missions[0]!.audience.rule!)).toBe(true);
  });

  it("a chain of a thousand segments is accepted and evaluated", () => {
    const segments = Array.from({ length: 1_000 }, (_, at) => segment(`s${at}`, at === 0 ? rich : { all: [names(`s${at - 1}`), rich] }));
    const { missions } = DefinitionsInMemory.after(withRule(names("s999"), ...segments.reverse())).compile();
    expect(qualifies({ balance: 101 } as Player, missions[0]!.audience.rule!)).toBe(true);
  });

  it("a chain as deep as allowed is evaluated, in any order of the file", () => {
    const segments = Array.from({ length: 2_090 }, (_, at) => segment(`s${at}`, at === 0 ? rich : names(`s${at - 1}`)));
    for (const ordered of [segments, segments.toReversed()]) {
      const { missions } = DefinitionsInMemory.after(withRule(names("s2089"), ...ordered)).compile();
      expect(qualifies({ balance: 101 } as Player, missions[0]!.audience.rule!)).toBe(true);
    }
  });
});
