import { z } from "zod";
import { DEFINITION_BODY, forEnvironment, inEnvironment, instantText } from "../../model/contract/rpc.ts";

const one = inEnvironment.extend({ id: z.uuid() });

/** Characters in a piece of a file: fits a call's body as JSON, whatever they are. */
export const PIECE = 256 * 1024;

/** What a file can import. */
export const IMPORT_KIND = z.enum(["players", "attributes", "events", "points"]);
export const IMPORT_FORMAT = z.enum(["csv", "jsonl"]);
/** Which players an import enters into missions. */
export const ENTERING = z.enum(["Nobody", "Segment", "Everybody"]);

const dataImport = z.object({
  id: z.string(),
  kind: IMPORT_KIND,
  format: IMPORT_FORMAT,
  fileName: z.string(),
  status: z.enum(["Uploading", "Checking", "Ready", "Running", "Done", "Cancelled", "Failed"]),
  /** Why the file cannot be read, or what stopped the import; null unless `Failed`. */
  problem: z.string().nullable(),
  createdBy: z.string(),
  createdAt: instantText,
  finishedAt: instantText.nullable(),
  enters: ENTERING,
  segmentKey: z.string().nullable(),
  notifies: z.boolean(),
  /** 0 to 1 of the current step. */
  progress: z.number(),
  /** Lines with data read, and of those: refused, already there before this import (they change nothing), and applied. */
  lines: z.int(),
  refused: z.int(),
  repeated: z.int(),
  applied: z.int(),
});

export type DataImport = z.output<typeof dataImport>;

/**
 * Imports players, attributes, historical events and points from a file. Editors may import what events and attributes can change as well;
 * points need an Admin, as one file can change every balance.
 */
export const importsDashboard = {
  /** The newest imports. */
  list: forEnvironment("Viewer")
    .input(inEnvironment)
    .output(z.object({ imports: z.array(dataImport) })),
  /** Starts an import. `reason` is for points: the ledger shows it. */
  create: forEnvironment("Editor")
    .input(
      inEnvironment.extend({
        kind: IMPORT_KIND,
        format: IMPORT_FORMAT,
        fileName: z.string().min(1).max(400),
        reason: z.string().max(2_000).nullable().default(null),
      }),
    )
    .output(z.object({ id: z.string() })),
  /** Adds the next piece of the file, from 0; pieces may end anywhere. The last one starts the check, which changes nothing. */
  addPiece: forEnvironment("Editor", { largestBody: DEFINITION_BODY })
    .input(one.extend({ number: z.int().min(0).max(1_000_000), text: z.string().max(PIECE), isLast: z.boolean() }))
    .output(z.object({})),
  /** Applies the valid lines, in the background. */
  start: forEnvironment("Editor")
    .input(one.extend({ enters: ENTERING, segmentKey: z.string().max(400).nullable().default(null), notifies: z.boolean() }))
    .output(z.object({})),
  /** Cancels an import; applied lines stay. */
  cancel: forEnvironment("Editor").input(one).output(z.object({})),
  /** Refused lines after a given line, in order; `content` is JSON text of up to 200,000 characters. */
  refused: forEnvironment("Viewer")
    .input(one.extend({ after: z.int32().min(0).default(0), limit: z.int().min(1).max(50).default(50) }))
    .output(
      z.object({
        lines: z.array(z.object({ line: z.int(), problems: z.array(z.string()), content: z.string() })),
        next: z.int().nullable(),
      }),
    ),
};
