import type { Database } from "#db/client.ts";
import { loadImages } from "../../images/service.ts";
import type { Environment } from "#server/model/kernel/environment.ts";
import type { Steps } from "#server/model/kernel/steps.ts";
import { inTurns } from "#server/engine/turns.ts";
import { documentOf, listEntry, writeFile } from "#server/model/definitions/document.ts";
import { imageIdsOf } from "#server/model/definitions/image-references.ts";
import { loadDefinitions } from "#server/engine/store/definitions.ts";
import { readStored } from "#server/model/definitions/stored.ts";

/** Approximate characters per chunk. */
const PIECE = 64 * 1024;

/**
 * An environment's definitions file as text, in chunks: what `exportDefinitions` returns, at one instant. Images are read one by one while
 * the text is taken.
 */
export async function* exportFile({ sql }: Database, { id, projectId }: Environment, withImages: boolean): AsyncGenerator<string> {
  const stored = await inTurns(readStored(await loadDefinitions(sql, id)));
  const ids = withImages ? imageIdsOf(stored).toSorted() : null;
  const pieces = await inTurns(inPieces(writeFile(documentOf(stored), ids !== null)));
  yield* pieces;
  if (ids === null) return;
  let isFirst = true;
  for (const one of ids) {
    // Images deleted meanwhile are left out.
    for (const image of await loadImages(sql, projectId, [one])) {
      yield `${isFirst ? "[\n" : ",\n"}${listEntry({ id: image.id, bytes: image.bytes.toString("base64") })}`;
      isFirst = false;
    }
  }
  yield isFirst ? "[]\n}\n" : "\n  ]\n}\n";
}

function* inPieces(text: Generator<string, void>): Steps<string[]> {
  const pieces: string[] = [];
  let piece: string[] = [];
  let length = 0;
  for (const part of text) {
    piece.push(part);
    length += part.length;
    if (length >= PIECE) {
      pieces.push(piece.join(""));
      [piece, length] = [[], 0];
    }
    yield;
  }
  return [...pieces, piece.join("")];
}
