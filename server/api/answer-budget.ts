import { ORPCError } from "@orpc/client";

/**
 * Maximum response size in bytes. A safety net: lists page and cut long values far below it, and larger data is exported as a file
 * (exports.ts).
 */
export const MAX_ANSWER_BYTES = 8 * 1024 * 1024;

/** Refuses a call's answer that is too large. Wraps the calls of browsers and those of server-rendered pages. */
export async function withinBudget<Answer>({ next }: { next(): Promise<Answer> }): Promise<Answer> {
  const answer = await next();
  mustFit(answer);
  return answer;
}

/**
 * Throws the ORPCError ANSWER_TOO_LARGE if a value is certain to exceed the limit as JSON, before it is copied or serialized. Stops at the
 * limit.
 */
function mustFit(answer: unknown): void {
  let left = MAX_ANSWER_BYTES;
  const waiting = [answer];
  while (waiting.length > 0) {
    const value = waiting.pop();
    left -= typeof value === "string" ? value.length + 2 : 1;
    if (left < 0) throw tooLarge();
    if (typeof value !== "object" || value === null) continue;
    if (Array.isArray(value)) for (const one of value) waiting.push(one);
    else for (const [name, one] of Object.entries(value)) waiting.push(name, one);
  }
}

/** Serializes a value as JSON. ORPCError ANSWER_TOO_LARGE if it exceeds the limit. */
export function writeAnswer(answer: unknown): string {
  const text = JSON.stringify(answer);
  if (text.length > MAX_ANSWER_BYTES || Buffer.byteLength(text) > MAX_ANSWER_BYTES) throw tooLarge();
  return text;
}

function tooLarge(): ORPCError<string, unknown> {
  const message = `The answer would have more than ${MAX_ANSWER_BYTES / 1024 / 1024} MiB. Ask for a smaller page or a narrower search, or export the list as a file.`;
  return new ORPCError("ANSWER_TOO_LARGE", { status: 422, message });
}
