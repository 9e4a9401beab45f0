import { createInterface } from "node:readline/promises";
import { printable } from "../model/kernel/printable.ts";

/** Asks at the terminal; only "yes" means yes. */
export async function confirmed(question: string): Promise<boolean> {
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  try {
    return (await terminal.question(`${printable(question)} Type yes to confirm: `)).trim() === "yes";
  } finally {
    terminal.close();
  }
}
