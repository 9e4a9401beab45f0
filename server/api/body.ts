import type { IncomingMessage } from "node:http";
import { parseJson } from "../kernel/json.ts";
import { problem } from "../kernel/problem.ts";

/** decisions.md 2: 4 MiB. */
export const MAX_BODY_BYTES = 4 * 1024 * 1024;

/** The client went away before its request had arrived. */
export class Aborted extends Error {}

/**
 * Reads a request's body as text, whatever its Content-Type says.
 * Problems: request.too_large, request.malformed (not UTF-8). Throws Aborted.
 */
export async function readText(request: IncomingMessage): Promise<string> {
  if (Number(request.headers["content-length"] ?? 0) > MAX_BODY_BYTES) throw tooLarge();
  return decodeUtf8(await readBytes(request));
}

/** By events, as leaving an iteration early would close the connection before it has its answer. */
function readBytes(request: IncomingMessage): Promise<Uint8Array> {
  return new Promise((resolve, reject) => {
    if (request.destroyed) return reject(new Aborted());
    const chunks: Uint8Array[] = [];
    let size = 0;
    request.on("data", (chunk: Uint8Array) => {
      size += chunk.length;
      if (size <= MAX_BODY_BYTES) return chunks.push(chunk);
      chunks.length = 0; // The rest is read and dropped: the connection stays usable.
      reject(tooLarge());
    });
    request.on("end", () => resolve(chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks)));
    request.on("error", () => reject(new Aborted()));
    request.on("close", () => request.complete || reject(new Aborted()));
  });
}

/** Problem request.malformed for what is not JSON. */
export function readJson(text: string): unknown {
  try {
    return parseJson(text);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    const message = text.trim() === "" ? "The body is empty; send JSON." : "The body is not valid JSON, or it is nested too deep.";
    throw problem("request.malformed", message);
  }
}

const utf8 = new TextDecoder("utf-8", { fatal: true });

function decodeUtf8(bytes: Uint8Array): string {
  try {
    return utf8.decode(bytes);
  } catch {
    throw problem("request.malformed", "The body is not valid UTF-8.");
  }
}

const tooLarge = () => problem("request.too_large", "The body is larger than 4 MiB. Split it into several requests.");
