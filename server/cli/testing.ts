import { afterAll, vi } from "vitest";

/** Keeps what commands print until the end of the test file; `taken` gives the lines since it was last called. */
export function capturePrinted() {
  const printed = { out: [] as string[], err: [] as string[] };
  vi.spyOn(console, "log").mockImplementation((line: string) => void printed.out.push(...line.split("\n")));
  vi.spyOn(console, "error").mockImplementation((line: string) => void printed.err.push(...line.split("\n")));
  afterAll(() => {
    vi.restoreAllMocks();
    vi.unstubAllEnvs();
  });
  return () => ({ out: printed.out.splice(0), err: printed.err.splice(0) });
}
