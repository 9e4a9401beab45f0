import { writeJson } from "../kernel/json.ts";
import { type Finding, finding, type Path } from "../rules/finding.ts";

/** The limits of an environment's definitions, of all kinds together; bytes are those of the stored JSON. */
export const MAX_DEFINITIONS = 10_000;
export const MAX_DEFINITION_BYTES = 32 * 1024 * 1024;

export interface Extent {
  definitions: number;
  bytes: number;
}

export const bytesOf = (body: unknown): number => Buffer.byteLength(writeJson(body));

const MIB = 1024 * 1024;

export const tooMuchAt = (path: Path, { definitions, bytes }: Extent): Finding =>
  finding(path, "environment.too_much", {
    most: MAX_DEFINITIONS,
    mostMegabytes: MAX_DEFINITION_BYTES / MIB,
    definitions,
    megabytes: Math.ceil((bytes / MIB) * 10) / 10,
  });
