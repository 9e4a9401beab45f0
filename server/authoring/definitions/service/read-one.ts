import { type Mistake, mistake } from "#server/model/rules/finding.ts";
import { parseJsonInSteps } from "#server/model/kernel/json.ts";
import type { EnvironmentKind } from "#server/model/kernel/environment.ts";
import { inTurns } from "#server/engine/turns.ts";
import { canBeSavedInBoth, type Kind } from "#server/model/definitions/contract.ts";
import { type Along, fileWith, type Entry, type File, readFile } from "#server/model/definitions/file.ts";
import { type DefinitionProblem, inside, problemAt, toProblem } from "#server/model/definitions/problems.ts";

/** A definition's problem, and the environment in which it occurs. The pointer leads into the definition. */
export interface SaveProblem extends DefinitionProblem {
  environment: EnvironmentKind;
}

/** Definitions as JSON text. */
export type Documents = readonly { kind: Kind; document: string }[];

/** A parsed definition, and the file of only it and its `along`. */
export interface ReadOne {
  file: File;
  entry: Entry;
}

/** Parses one definition; returns the problems if that fails. */
export async function readOne(
  environment: EnvironmentKind,
  { kind, document: text, inBoth = false, along = [] }: { kind: Kind; document: string; inBoth?: boolean; along?: Documents | undefined },
): Promise<ReadOne | { problems: SaveProblem[] }> {
  const refused = (what: Mistake) => ({ problems: [{ ...problemAt("", what), environment }] });
  if (inBoth && !canBeSavedInBoth(kind)) return refused(mistake("definition.one_environment", { kind }));
  const document = await parsedDocument(text);
  if ("refused" in document) return refused(document.refused);
  const others = await readAlong(along);
  if ("refused" in others) return refused(others.refused);
  const file = await inTurns(readFile(fileWith(kind, document.value, others)));
  const [entry] = (file.lists[kind] ?? []) as readonly Entry[];
  // The document is too large to be read further.
  if (entry === undefined)
    return { problems: file.findings.map(toProblem).map((one) => ({ ...one, pointer: inside(one.pointer, kind), environment })) };
  return { file, entry };
}

/** The parsed text, or its problem if it is not JSON. */
export async function parsedDocument(text: string, isFile = false): Promise<{ value: unknown } | { refused: Mistake }> {
  try {
    return { value: await inTurns(parseJsonInSteps(text)) };
  } catch (error) {
    return { refused: mistake("document.not_json", { reason: error instanceof Error ? error.message : String(error), isFile }) };
  }
}

/** A definition's document with its `along`, parsed, for a preview; or the problem of the first that is not JSON. */
export async function readDocument(
  text: string,
  along: Documents = [],
): Promise<{ document: unknown; along: Along[] } | { problems: DefinitionProblem[] }> {
  const document = await parsedDocument(text);
  if ("refused" in document) return { problems: [problemAt("", document.refused)] };
  const others = await readAlong(along);
  return "refused" in others ? { problems: [problemAt("", others.refused)] } : { document: document.value, along: others };
}

/** The parsed `along` documents, or the problem of the first that is not JSON. */
async function readAlong(along: Documents): Promise<Along[] | { refused: Mistake }> {
  const read: Along[] = [];
  for (const { kind, document } of along) {
    const parsed = await parsedDocument(document);
    if ("refused" in parsed) return parsed;
    read.push({ kind, value: parsed.value });
  }
  return read;
}
