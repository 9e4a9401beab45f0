import { vi } from "vitest";
import { run } from "../server/process/cli.ts";

/**
 * Runs the command line in this process, with these settings; returns its output. Throws its messages if it fails. A process of its own, as
 * `commandLine` of programs.ts starts, loads the whole service first.
 */
export async function commandLineHere(words: string[], settings: Record<string, string>): Promise<string> {
  const [out, err]: string[][] = [[], []];
  const spies = [
    vi.spyOn(console, "log").mockImplementation((line: string) => void out!.push(line)),
    vi.spyOn(console, "error").mockImplementation((line: string) => void err!.push(line)),
  ];
  // Vitest sets a BASE_URL of its own.
  for (const [name, value] of Object.entries({ BASE_URL: undefined, ...settings })) vi.stubEnv(name, value);
  try {
    if ((await run(words)) !== 0) throw new Error(err!.join("\n"));
    return out!.join("\n").trim();
  } finally {
    vi.unstubAllEnvs();
    for (const spy of spies) spy.mockRestore();
  }
}
