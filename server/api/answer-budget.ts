import { ORPCError } from "@orpc/client";

/**
 * Bytes of the largest answer to a call. It is a safety net: lists end their pages and cut long values far below it, and what is larger is
 * had as a file (exports.ts).
 */
export const MAX_ANSWER_BYTES = 8 * 1024 * 1024;

/** Stands around every call, of a browser or of a page that is rendered here. */
export async function withinBudget<Answer>({ next }: { next(): Promise<Answer> }): Promise<Answer> {
  const answer = await next();
  mustFit(answer);
  return answer;
}

/**
 * Throws the ORPCError ANSWER_TOO_LARGE where a value has certainly more bytes as JSON, before anything copies or writes it. It looks at no
 * more than that many of them.
 */
function mustFit(answer: unknown, most = MAX_ANSWER_BYTES): void {
  let left = most;
  const waiting = [answer];
  while (waiting.length > 0) {
    const value = waiting.pop();
    left -= typeof value === "string" ? value.length + 2 : 1;
    if (left < 0) throw tooLarge(most);
    if (typeof value !== "object" || value === null) continue;
    if (Array.isArray(value)) for (const one of value) waiting.push(one);
    else for (const [name, one] of Object.entries(value)) waiting.push(name, one);
  }
}

/** A value as JSON. ORPCError ANSWER_TOO_LARGE: it has more bytes than an answer may have. */
export function writeAnswer(answer: unknown, most = MAX_ANSWER_BYTES): string {
  const text = JSON.stringify(answer);
  if (text.length > most || Buffer.byteLength(text) > most) throw tooLarge(most);
  return text;
}

function tooLarge(most: number): ORPCError<string, unknown> {
  const message = `The answer would have more than ${most / 1024 / 1024} MiB. Ask for a smaller page or a narrower search, or export the list as a file.`;
  return new ORPCError("ANSWER_TOO_LARGE", { status: 422, message });
}
