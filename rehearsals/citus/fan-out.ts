import { createReadStream } from "node:fs";
import { createInterface } from "node:readline";
import { DELIBERATE } from "./deliberate.ts";

/** A statement that was sent to several shards. */
export interface FanOut {
  text: string;
  count: number;
  /** Why it is allowed; null: it is not on the list. */
  reason: string | null;
}

/** A coordinator's activity, from its log in JSON. */
export interface Activity {
  /** The statements sent to several shards; those not on the list first, then the most frequent. */
  fanOuts: FanOut[];
  /**
   * Statements for which it fetched a whole table: outer joins of a distributed table with a local one, or with a page assembled on the
   * coordinator. Its log needs messages of level debug1 (`LOG_SETTINGS`).
   */
  fetched: string[];
  /** Statements that Citus does not support. */
  refused: string[];
}

/** Settings that make a coordinator log all of this. */
export const LOG_SETTINGS = { log_min_messages: "debug1", log_min_error_statement: "debug1" };

export async function readLog(log: string): Promise<Activity> {
  const counts = new Map<string, number>();
  const fetched = new Set<string>();
  const refused = new Set<string>();
  for await (const line of createInterface({ input: createReadStream(log) })) {
    if (line.includes("multi-task query about to be executed")) {
      const text = statementOf(read(line));
      counts.set(text, (counts.get(text) ?? 0) + 1);
    } else if (line.includes("outer joined with a recurring rel") && line.includes("planning distributed relation")) {
      fetched.add(statementOf(read(line)));
    } else if (line.includes('"error_severity":"ERROR","state_code":"0A000"')) {
      const refusal = read(line);
      refused.add(`${refusal.message}: ${statementOf(refusal)}`);
    }
  }
  const fanOuts = Array.from(counts, ([text, count]) => ({ text, count, reason: reasonOf(text) })).sort(
    (a, b) => Number(a.reason !== null) - Number(b.reason !== null) || b.count - a.count,
  );
  return { fanOuts, fetched: [...fetched], refused: [...refused] };
}

const read = (line: string): LogLine => JSON.parse(line) as LogLine;

interface LogLine {
  message?: string;
  statement?: string;
  context?: string;
}

/** The outgoing statement: in a function the innermost one, after the function's name ("points_adjust: insert …"). */
function statementOf({ statement = "", context = "" }: LogLine): string {
  const [, inner, name] = /SQL (?:statement|expression) "([\s\S]*?)"\nPL\/pgSQL function "?(\w+)/.exec(context) ?? [];
  return (name === undefined ? statement : `${name}: ${inner}`).replaceAll(/\s+/g, " ").trim();
}

export const reasonOf = (text: string): string | null => DELIBERATE.find(({ has }) => text.includes(has))?.why ?? null;
