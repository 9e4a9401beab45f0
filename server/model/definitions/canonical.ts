import { inLanguage } from "../rules/in-language.ts";
import { type Kind, moduleOf, type Shaped } from "./kinds.ts";
import type { Result } from "./result.ts";
import { scopeOf } from "./scope.ts";

/**
 * The one form in which a definition is kept, compared and exported: short texts name their language, and values are
 * written as their type is.
 */
export const canonical = <K extends Kind>(kind: K, shaped: Shaped<K>, result: Result, language: string): Shaped<K> =>
  inLanguage((moduleOf(kind).canonical?.(shaped, scopeOf(result)) ?? shaped) as Shaped<K>, language);
