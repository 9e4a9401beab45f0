import { withoutSecrets } from "../kernel/secrets.ts";
import { isJsonObject } from "../kernel/values.ts";
import { MAX_TEXT } from "./entry.ts";

/** A text as the log may keep it: no secret, nothing that PostgreSQL cannot hold, cut to the limit. A secret that the limit cuts goes too. */
export const loggable = (text: string, most = MAX_TEXT): string =>
  withoutSecrets(text.slice(0, most).toWellFormed().replaceAll("\0", "\ufffd")).slice(0, most);

/**
 * The begin of a value's JSON, of a little more than `most` characters: an item may have a hundred thousand members, and writing all of
 * them would hold up other requests.
 */
export function beginOfJson(value: unknown, most = MAX_TEXT): string {
  const pieces: string[] = [];
  let left = most;
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

/** The names of an object's members, one after the other: a list of all of them would be made of a hundred thousand. */
function* namesOf(object: object): Generator<string> {
  for (const name in object) yield name;
}
