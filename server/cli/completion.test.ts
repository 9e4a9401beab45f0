import { execFileSync } from "node:child_process";
import { expect, test, vi } from "vitest";
import { run } from "../process/cli.ts";

async function scriptOf(shell: string): Promise<string> {
  const lines: string[] = [];
  const printed = vi.spyOn(console, "log").mockImplementation((line: string) => void lines.push(line));
  await run(["completion", shell]);
  printed.mockRestore();
  return lines.join("\n");
}

test.each([
  ["engagement de", ["definitions"]],
  ["engagement definitions p", ["plan", "pull", "promote"]],
  ["engagement --url http://x.test definitions plan --pr", ["--project", "--prune"]],
  ["engagement definitions plan acme.json --environment ", ["sandbox", "live"]],
  ["engagement token create --role E", ["Editor"]],
  ["engagement trigger m", ["mission.completed"]],
])("bash completes %j", async (line, candidates) => {
  const words = line.split(" ");
  const ask = `COMP_WORDS=(${words.map((word) => `"${word}"`).join(" ")}); COMP_CWORD=${words.length - 1}; _engagement; echo "\${COMPREPLY[@]}"`;
  const script = `${await scriptOf("bash")}\n${ask}`;
  expect(execFileSync("bash", ["-c", script], { encoding: "utf8" }).trim().split(" ")).toEqual(candidates);
});

test("the zsh script has the same commands", async () => {
  const script = await scriptOf("zsh");
  expect(script).toMatch(/^#compdef engagement\n/);
  expect(script).toContain('"definitions plan"');
});
