import { type Document, isMap, isScalar, isSeq, LineCounter, type Node, parseDocument } from "yaml";
import { OperatorError } from "../model/kernel/operator-error.ts";
import { oneLine } from "./definition-changes.ts";
import { filesIn, isFolder, SCENARIOS, textOf, unreadable } from "./definition-files.ts";

/** A parsed file of scenarios; `lineOf` returns the line of a part, for messages. */
export interface ScenarioSource {
  file: string;
  document: unknown;
  lineOf(path: readonly (string | number)[]): number;
}

/** Reads a file of scenarios, or all `*.scenarios.yaml`, `.yml` and `.json` below a folder. Throws OperatorError. */
export function readScenarioFiles(path: string): ScenarioSource[] {
  const files = isFolder(path) ? filesIn(path).filter((file) => SCENARIOS.test(file)) : [path];
  if (files.length === 0) throw new OperatorError(`${path} has no files of scenarios (*.scenarios.yaml or *.scenarios.json).`);
  return files.map(readScenarioFile);
}

/** The most syntax errors that are printed of a file: those after the first are mostly noise. */
const MAX_ERRORS = 10;

/** Throws OperatorError if nested aliases would fill the memory. */
function valueOf(file: string, parsed: Document.Parsed): unknown {
  try {
    return parsed.toJS() as unknown;
  } catch (error) {
    throw unreadable(file, error);
  }
}

/** JSON is read as YAML, of which it is a part, so that both have lines. */
function readScenarioFile(file: string): ScenarioSource {
  const lines = new LineCounter();
  const parsed = parseDocument(textOf(file), { lineCounter: lines, prettyErrors: false });
  if (parsed.errors.length > 0)
    throw new OperatorError(
      ...parsed.errors
        .slice(0, MAX_ERRORS)
        .map(({ pos, message }) => oneLine(`${file}:${lines.linePos(pos[0]).line}: is not YAML: ${message}`)),
    );
  return {
    file,
    document: valueOf(file, parsed),
    lineOf(path) {
      let at = 0;
      let node: unknown = parsed.contents;
      for (const name of path) {
        const [begin, next] = childOf(node, name);
        if (begin === undefined) break;
        at = begin;
        node = next;
      }
      return lines.linePos(at).line;
    },
  };
}

/** A member or an entry of a node, and where it begins; a member begins with its name. */
function childOf(node: unknown, name: string | number): [begin?: number, child?: unknown] {
  if (isSeq(node)) return [(node.items[Number(name)] as Node | undefined)?.range?.[0], node.items[Number(name)]];
  const pair = isMap(node) ? node.items.find(({ key }) => isScalar(key) && String(key.value) === String(name)) : undefined;
  return pair === undefined ? [] : [(pair.key as Node).range?.[0], pair.value];
}
