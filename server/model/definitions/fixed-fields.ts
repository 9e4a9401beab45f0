import { fileSentence } from "../rules/file-words.ts";
import { type FindingCode, mistake } from "../rules/finding.ts";
import type { FixedField } from "../rules/kind-module.ts";
import { parseInstant } from "../kernel/time.ts";
import { hasKey, type Kind, moduleOf } from "./kinds.ts";
import type { Stored } from "./stored.ts";
import { valueAt } from "./value-at.ts";

/** A field of a definition that cannot change, why, and the remedy. The pointer leads into the definition. */
export interface FixedFieldShown {
  pointer: string;
  reason: string;
  code: FindingCode;
  params: Record<string, unknown>;
}

const shown = ({ pointer, why }: FixedField): FixedFieldShown => ({
  pointer,
  reason: fileSentence(why),
  code: why.code,
  params: { ...why.params },
});

/** The fields of a definition that can no longer change: the same that `fixedFindings` rejects. `now` is on the environment's clock. */
export function fixedFieldsOf({ kind, shaped }: Stored, now: number): FixedFieldShown[] {
  const module = moduleOf(kind);
  const fields: FixedField[] = [
    { pointer: `/${module.identity}`, why: mistake("definition.key_fixed", { kind, hasKey: hasKey(kind) }) },
    ...module.fixed.map((member) => ({ pointer: `/${member}`, why: mistake("definition.fixed", { kind, member, before: null }) })),
    ...(module.fixedFields?.(shaped, now) ?? []),
    ...(module.window === undefined ? [] : startReached(kind, module.window, shaped, now)),
  ];
  return fields.map(shown);
}

function startReached(kind: Kind, member: string, definition: object, now: number): FixedField[] {
  const startsAt = valueAt(definition, [member, "startsAt"]) as string | null;
  if (startsAt === null || (parseInstant(startsAt) ?? 0) > now) return [];
  return [{ pointer: `/${member}/startsAt`, why: mistake("definition.start_reached", { kind, member: null, before: null }) }];
}
