import type { Database } from "#db/client.ts";
import { type Environment, type Actor, COMMAND_LINE } from "#server/model/kernel/environment.ts";
import { OperatorError } from "#server/model/kernel/operator-error.ts";
import { inTurns } from "#server/engine/turns.ts";
import { documentOf, listEntry, writeFile } from "#server/model/definitions/document.ts";
import { readFile } from "#server/model/definitions/file.ts";
import { imageIdsOf } from "#server/model/definitions/image-references.ts";
import { nameSubject, type DefinitionProblem } from "#server/model/definitions/problems.ts";
import type { Change } from "#server/model/definitions/plan.ts";
import type { ImageSize } from "#server/model/images/image.ts";
import { loadStored } from "#server/engine/definitions.ts";
import { loadImages } from "../../images/service.ts";
import { edit } from "./edit.ts";
import type { Steps } from "#server/model/kernel/steps.ts";

/** `version` is that of the environment's definitions before the import. */
export type ImportResult = { problems: DefinitionProblem[] } | { changes: Change[]; version: number };

export interface ImportOptions {
  dryRun?: boolean;
  prune?: boolean;
  /** The version that a plan was made on: the import is refused if the definitions have another one by now. Null: any. */
  version?: number | null;
  /** Images that a dry run takes as uploaded. */
  coming?: readonly ImageSize[];
  /** Refuses the import unless it becomes a change request. */
  onlyAsRequest?: boolean;
  /** The author in the audit log. */
  actor?: Actor;
}

/**
 * Imports a definitions file: all or nothing, reporting all problems. Importing existing definitions changes nothing. `dryRun` only lists
 * the changes; `prune` switches off what the file's lists omit. `document` comes from `parseJson`, so that its numbers are exact. Throws
 * OperatorError where `version` has passed, or `onlyAsRequest` and nothing needs an approval here.
 */
export const importDefinitions = (
  database: Database,
  environment: Environment,
  document: unknown,
  options: ImportOptions = {},
): Promise<ImportResult> => importVia("import", database, environment, document, options);

async function importVia(
  via: "import" | "promote",
  database: Database,
  environment: Environment,
  document: unknown,
  { dryRun = false, prune = false, version = null, coming = [], onlyAsRequest = false, actor = COMMAND_LINE }: ImportOptions,
): Promise<ImportResult> {
  const file = await inTurns(readFile(document));
  return edit(database, environment, { dryRun }, async (open) => {
    const { definitionsVersion: current } = open.environment;
    if (version !== null && version !== current)
      throw new OperatorError(
        `The definitions have changed since these changes were shown: they are at version ${current}, not ${version}. Check the changes again.`,
      );
    if (onlyAsRequest && !open.needsApproval(actor))
      throw new OperatorError(
        "This environment takes no change requests: a person has to make the change. Approvals in Live are asked for under Settings.",
      );
    const plan = await open.plan(file, prune, open.stored, coming);
    if ("problems" in plan) return plan;
    if (!dryRun) await open.write(plan, { actor, via });
    return { changes: plan.changes, version: current };
  });
}

/**
 * Imports a snapshot of one environment into the other one of its project, under the target's rules and with an import's result. Pointers
 * lead into the would-be export; as users do not have that file, problems name their definition. Throws OperatorError if both environments
 * are the same.
 */
export async function promoteDefinitions(
  database: Database,
  from: Environment,
  to: Environment,
  options: ImportOptions = {},
): Promise<ImportResult> {
  if (from.id === to.id) throw new OperatorError("An environment cannot be promoted to itself; --from and --to must be two of them.");
  const document = await exportDefinitions(database, from);
  const result = await importVia("promote", database, to, document, options);
  return "problems" in result ? { problems: result.problems.map((problem) => nameSubject(problem, document)) } : result;
}

/**
 * All definitions of an environment in the file format; importing and exporting them again gives the same text. With `images`, includes the
 * uploaded images' bytes, which another project lacks.
 */
export async function exportDefinitions(
  { sql }: Database,
  { id, projectId }: Environment,
  { images = false }: { images?: boolean } = {},
): Promise<Record<string, unknown>> {
  const stored = await loadStored(sql, id);
  const document = documentOf(stored);
  if (!images) return document;
  const kept = await loadImages(sql, projectId, imageIdsOf(stored));
  return { ...document, images: kept.map((image) => ({ id: image.id, bytes: image.bytes.toString("base64") })) };
}

/** Approximate characters per chunk. */
const PIECE = 64 * 1024;

/**
 * An environment's definitions file as text, in chunks: what `exportDefinitions` returns, at one instant. Images are read one by one while
 * the text is taken.
 */
export async function* exportFile({ sql }: Database, { id, projectId }: Environment, withImages: boolean): AsyncGenerator<string> {
  const stored = await loadStored(sql, id);
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
