import { withoutSecrets } from "../kernel/secrets.ts";
import { isJsonObject } from "../kernel/values.ts";
import { MAX_TEXT } from "./entry.ts";

/**
 * A text for the log: without secrets, even one that the limit cuts, without characters that PostgreSQL cannot store, and cut to the limit.
 */
export const loggable = (text: string, maxLength = MAX_TEXT): string =>
  withoutSecrets(text.slice(0, maxLength).toWellFormed().replaceAll("\0", "\ufffd")).slice(0, maxLength);

/**
 * The start of a value's JSON, a little longer than `MAX_TEXT`: an item may have a hundred thousand members, and writing all of them would
 * block other requests.
 */
export function jsonPrefix(value: unknown): string {
  const pieces: string[] = [];
  let left = MAX_TEXT;
  const put = (piece: string): void => {
    pieces.push(piece);
    left -= piece.length;
  };
  const write = (one: unknown): void => {
    if (left <= 0) return;
    if (Array.isArray(one)) return writeAll("[", "]", one, write);
    if (isJsonObject(one)) return writeAll("{", "}", namesOf(one), (name) => writeMember(one, name));
    put(JSON.stringify(typeof one === "string" ? one.slice(0, left) : one) ?? "null");
  };
  const writeMember = (object: Record<string, unknown>, name: string): void => {
    put(`${JSON.stringify(name.slice(0, left))}:`);
    write(object[name]);
  };
  const writeAll = <T>(open: string, close: string, all: Iterable<T>, each: (one: T) => void): void => {
    put(open);
    let isFirst = true;
    for (const one of all) {
      if (left <= 0) return;
      if (!isFirst) put(",");
      isFirst = false;
      each(one);
    }
    put(close);
  };
  write(value);
  return pieces.join("");
}

/** Yields the names of an object's members, so that no list of a hundred thousand is made. */
function* namesOf(object: object): Generator<string> {
  for (const name in object) yield name;
}
