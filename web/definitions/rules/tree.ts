import { type Combination, combined, type GroupOf, isGroup } from "#server/model/rules/tree.ts";

/** Edits of a rule tree (all, any, not). Each returns a new tree; untouched parts stay the same objects. */

/** The same rules under another operator. A "not" holds one rule: several are wrapped in an "all". */
export function recombined<Rule extends object>(group: GroupOf<Rule>, how: Combination): GroupOf<Rule> {
  const { how: before, rules } = combined(group);
  if (before === how) return group;
  const [first] = rules;
  if (how !== "not") {
    // Removes the "all" that was only added for the "not".
    const inner = before === "not" && first !== undefined && isGroup(first) ? combined(first as unknown as GroupOf<Rule>) : null;
    return withRules(how, inner === null || inner.how === "not" ? rules : inner.rules, group);
  }
  return withRules("not", rules.length === 1 ? rules : [{ [before]: rules } as Rule], group);
}

/** A group with these rules; its other members (an objective's description) stay. */
export function withRules<Rule extends object>(how: Combination, rules: readonly Rule[], before: object = {}): GroupOf<Rule> {
  const { all: _all, any: _any, not: _not, ...rest } = before as Record<string, unknown>;
  return { ...rest, ...(how === "not" ? { not: rules[0] ?? null } : { [how]: [...rules] }) } as unknown as GroupOf<Rule>;
}

/** Wraps a rule in a group, which takes over its description. */
export function grouped<Rule extends object>(rule: Rule, how: Combination, more: readonly Rule[] = []): Rule {
  const { description, ...inner } = rule as Rule & { description?: unknown };
  const group = withRules(how, [inner as Rule, ...more]) as unknown as Rule;
  return description === undefined ? group : ({ description, ...group } as Rule);
}

export const dissolved = <Rule extends object>(group: GroupOf<Rule>): Rule[] => combined(group).rules.filter((rule) => rule !== null);

export function moved<Item>(list: readonly Item[], from: number, to: number): Item[] {
  const item = list[from];
  if (item === undefined || to < 0 || to >= list.length) return [...list];
  return list.toSpliced(from, 1).toSpliced(to, 0, item);
}
