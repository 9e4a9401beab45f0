import { hasBadText } from "./json.ts";
import { OperatorError } from "./operator-error.ts";

/** Characters of the longest reason. */
export const MAX_REASON_LENGTH = 500;

/** Why a person does something, without the space around it. Throws OperatorError where it is missing or too long. */
export function reasonFrom(text: string): string {
  const reason = text.trim();
  if (reason === "" || [...reason].length > MAX_REASON_LENGTH || hasBadText(reason))
    throw new OperatorError(`Give a reason of at most ${MAX_REASON_LENGTH} characters.`);
  return reason;
}
