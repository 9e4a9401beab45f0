import { type DataImport, rpc } from "../client/service.tsx";
import type { Scope } from "../client/address.ts";

/** The service takes pieces of up to 262,144 characters, and a thousand of them. */
const PIECE = 256 * 1024;
export const MAX_BYTES = 250 * 1024 * 1024;

interface Chosen {
  kind: DataImport["kind"];
  file: File;
  /** Only for points. */
  reason: string | null;
}

/** Whether a file is JSON lines, by its name; others are read as CSV. */
const formatOf = (name: string): DataImport["format"] => (/\.(jsonl|ndjson|json)$/i.test(name) ? "jsonl" : "csv");

/** Uploads a file in sequential pieces; only two are in memory. `onPart` receives the progress, 0 to 1. */
export async function upload(scope: Scope, { kind, file, reason }: Chosen, onPart: (part: number) => void): Promise<void> {
  const { id } = await rpc.imports.create({ ...scope, kind, format: formatOf(file.name), fileName: file.name, reason });
  let number = 0;
  let sent = 0;
  const send = async (text: string, isLast: boolean) => {
    await rpc.imports.addPiece({ ...scope, id, number, text, isLast });
    number += 1;
    sent += text.length;
    onPart(Math.min(1, sent / Math.max(1, file.size)));
  };
  let held = "";
  const reader = file
    .stream()
    .pipeThrough(new TextDecoderStream("utf-8", { fatal: true }))
    .getReader();
  try {
    for (let read = await reader.read(); !read.done; read = await reader.read()) {
      held += read.value;
      // Holds back more than a piece, so that the last one is known.
      while (held.length > PIECE) {
        const end = lengthOfPiece(held);
        await send(held.slice(0, end), false);
        held = held.slice(end);
      }
    }
    await send(held, true);
  } catch (error) {
    await rpc.imports.cancel({ ...scope, id }).catch(() => {});
    throw error;
  }
}

/** A piece must not split a surrogate pair. */
const lengthOfPiece = (text: string): number => (/[\uD800-\uDBFF]/.test(text[PIECE - 1]!) ? PIECE - 1 : PIECE);
