import { readFileSync } from "node:fs";
import { DELIBERATE } from "./deliberate.ts";

/** A statement that was sent to several shards. */
export interface FanOut {
  text: string;
  count: number;
  /** Why it may be; null: it is not on the list. */
  reason: string | null;
}

/** The statements that a coordinator has sent to several shards, by its log; those that are not on the list first, then the most frequent. */
export function fanOuts(log: string): FanOut[] {
  const counts = new Map<string, number>();
  for (const line of readFileSync(log, "utf8").split("\n")) {
    if (!line.includes("multi-task query about to be executed")) continue;
    const text = statementOf(JSON.parse(line) as LogLine);
    counts.set(text, (counts.get(text) ?? 0) + 1);
  }
  return Array.from(counts, ([text, count]) => ({ text, count, reason: reasonOf(text) })).sort(
    (a, b) => Number(a.reason !== null) - Number(b.reason !== null) || b.count - a.count,
  );
}

interface LogLine {
  statement?: string;
  context?: string;
}

/** The statement that went out: in a function the innermost one. */
function statementOf({ statement = "", context = "" }: LogLine): string {
  const [, inner] = /SQL (?:statement|function)? ?"?([\s\S]*?)"?\n(?:PL\/pgSQL|SQL) function/.exec(context) ?? [];
  return (inner ?? statement).replaceAll(/\s+/g, " ").trim();
}

export const reasonOf = (text: string): string | null => DELIBERATE.find(({ has }) => text.includes(has))?.why ?? null;
