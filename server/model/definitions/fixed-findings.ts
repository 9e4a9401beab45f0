import { writeJson } from "../kernel/json.ts";
import { parseInstant } from "../kernel/time.ts";
import { type Finding, finding } from "../rules/finding.ts";
import type { AnyDefinition, ChangeScope, CheckedEntry } from "../rules/kind-module.ts";
import { shortened } from "../rules/naming.ts";
import { checkedEntry } from "./checked-entry.ts";
import { type Kind, moduleOf } from "./kinds.ts";
import type { DefinitionState } from "./result.ts";
import type { Stored } from "./stored.ts";
import { valueAt } from "./value-at.ts";

/** Findings for changes of fixed fields, with the remedy. Unreadable parts are skipped. */
export function fixedFindings({ kind, entry, stored }: DefinitionState, scope: ChangeScope): Finding[] {
  if (entry === null || stored === null) return [];
  const module = moduleOf(kind);
  const checked = checkedEntry(entry);
  return [
    ...module.fixed.flatMap((member) => fixedMember(kind, member, checked, stored)),
    ...(module.checkChange?.(checked, stored.shaped, scope) ?? []),
    ...(module.window === undefined ? [] : startReached(kind, module.window, checked, stored, scope.now)),
  ];
}

function fixedMember(kind: Kind, member: string, entry: CheckedEntry<AnyDefinition>, stored: Stored): Finding[] {
  const after = entry.member(member as keyof AnyDefinition) as unknown;
  const before = writeJson(valueAt(stored.shaped, [member]));
  if (after === undefined || writeJson(after) === before) return [];
  return [finding([...entry.path, member], "definition.fixed", { kind, member, before: shortened(before) })];
}

/** The start of a window can be moved until it is reached. */
function startReached(kind: Kind, member: string, entry: CheckedEntry<AnyDefinition>, stored: Stored, now: number): Finding[] {
  const before = valueAt(stored.shaped, [member, "startsAt"]) as string | null;
  const window = entry.member(member as keyof AnyDefinition) as unknown;
  if (before === null || (parseInstant(before) ?? 0) > now || window === undefined) return [];
  if (valueAt(window, ["startsAt"]) === before) return [];
  return [finding([...entry.path, member, "startsAt"], "definition.start_reached", { kind, member, before })];
}
