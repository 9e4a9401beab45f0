import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { runCommand } from "./program.ts";
import { capturePrinted } from "./testing.ts";

const folder = mkdtempSync(join(tmpdir(), "scenarios-"));
const taken = capturePrinted();
afterAll(() => rmSync(folder, { recursive: true }));

// Scenarios need no service and no database.
const ALONE = { isAnywhere: true, version: "0.0.0", runBeside: null, serve: null };

async function testing(...args: string[]) {
  const code = await runCommand(["definitions", "test", folder, ...args], ALONE);
  return { code, ...taken() };
}

const write = (name: string, text: string) => writeFileSync(join(folder, name), text);
const EXPECTED = (points: number) => `scenarios:
  - name: Two orders
    steps:
      - event: order_placed
        times: 2
        expect:
          points: ${points}
`;

write(
  "definitions.json",
  JSON.stringify({
    version: 1,
    events: [{ key: "order_placed", name: "Order placed" }],
    missions: [
      {
        ...{ key: "m", name: "M", rewards: [{ kind: "Points", points: 5 }] },
        objectives: [{ event: "order_placed", operator: "GreaterThanOrEqualTo", target: 2 }],
      },
    ],
  }),
);

test("scenarios among the definitions pass without a service", async () => {
  write("some.scenarios.yaml", EXPECTED(5));
  const { code, out, err } = await testing();
  expect({ code, out }).toEqual({ code: 0, out: ["✓ Two orders"] });
  expect(err).toEqual([expect.stringMatching(/^1 scenario passed \(\d+ ms\)\.$/)]);
});

test("a failure is printed with its line, both values and the reason; the exit code is 1", async () => {
  write("some.scenarios.yaml", EXPECTED(6));
  const { code, out, err } = await testing();
  expect(code).toBe(1);
  expect(out).toEqual([
    "✗ Two orders",
    `    ${join(folder, "some.scenarios.yaml")}:7  step 1: expect/points`,
    "      expected 6",
    "      actual   5",
    "        +5 by M.",
  ]);
  expect(err[0]).toMatch(/^1 of 1 scenarios failed/);
  const { out: json } = await testing("--json");
  expect(JSON.parse(json.join("\n"))).toMatchObject({
    scenarios: [
      { name: "Two orders", line: 2, passed: false, failures: [{ path: "steps/0/expect/points", expected: 6, actual: 5, line: 7 }] },
    ],
    problems: [],
  });
});

test("every problem of a file is reported with its line, JSON too", async () => {
  write("some.scenarios.yaml", EXPECTED(5).replace("order_placed", "order_placd"));
  const misspelt = `${join(folder, "some.scenarios.yaml")}:4: steps/0/event: there is no event "order_placd"; did you mean "order_placed"?`;
  expect(await testing()).toEqual({ code: 1, out: ["✗ Two orders"], err: [misspelt] });
  write("some.scenarios.yaml", "");
  expect((await testing()).err).toEqual([`${join(folder, "some.scenarios.yaml")}:1: is missing; it must be an object`]);
  write("some.scenarios.yaml", "scenarios: [");
  expect((await testing()).err[0]).toContain("some.scenarios.yaml:1: is not YAML: ");
  write("some.scenarios.yaml", `scenarios: ${"[".repeat(2_000)}`);
  expect((await testing()).err).toHaveLength(10);
  const powers = ["a", "b", "c", "d", "e"].map((name, at) => `${name}: &${name} [${Array(9).fill(at === 0 ? "x" : `*${"abcd"[at - 1]}`)}]`);
  write("some.scenarios.yaml", powers.join("\n"));
  expect((await testing()).err).toEqual([expect.stringContaining("some.scenarios.yaml cannot be read: Excessive alias count")]);
  const file = join(folder, "other.scenarios.json");
  writeFileSync(file, '{\n"scenarios": [\n{ "name": "N",\n"steps": [{ "wiat": "P1D" }] }]}');
  const { code, err } = await testing("--scenarios", file);
  rmSync(file);
  const gone = join(folder, "gone");
  expect(await testing("--watch", "--scenarios", join(gone, "some.scenarios.yaml"))).toMatchObject({
    code: 1,
    err: [`There is no folder ${gone}.`],
  });
  expect(code).toBe(1);
  expect(err).toContain(`${file}:4: steps/0/wiat: there is no member "wiat" here; did you mean "wait"?`);
});
