import { SHAPES } from "#server/model/definitions/contract.ts";
import type { AuthoringExample } from "#server/model/rules/authoring-examples.ts";
import { writeJson } from "#server/model/kernel/json.ts";
import { definitionOf, draftOf } from "../document/draft.ts";

/**
 * The initial document of a form, as JSON text: the definition with its defaults written out. Texts get their language first, or they would
 * have none.
 */
export const documentOfExample = (kind: AuthoringExample["kind"], definition: object, language: string): string =>
  writeJson(SHAPES[kind].parse(definitionOf(draftOf(writeJson(definition), language))));
