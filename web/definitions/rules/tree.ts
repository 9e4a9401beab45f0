import { type Combination, combined, type GroupOf, isGroup } from "#server/model/rules/tree.ts";

/** Changes of a tree of rules (all, any, not). Every one gives a new tree; what it does not touch stays the same object. */

/** The same rules, combined in another way. A "not" holds one rule: several become all of them. */
export function recombined<Rule extends object>(group: GroupOf<Rule>, how: Combination): GroupOf<Rule> {
  const { how: before, rules } = combined(group);
  if (before === how) return group;
  const [first] = rules;
  if (how !== "not") {
    // Not all of several: what was only put there for the "not" goes with it.
    const inner = before === "not" && first !== undefined && isGroup(first) ? combined(first as unknown as GroupOf<Rule>) : null;
    return withRules(how, inner === null || inner.how === "not" ? rules : inner.rules, group);
  }
  return withRules("not", rules.length === 1 ? rules : [{ [before]: rules } as Rule], group);
}

/** A group of the rules; what else the group before had (an objective's description) stays. */
export function withRules<Rule extends object>(how: Combination, rules: readonly Rule[], before: object = {}): GroupOf<Rule> {
  const { all: _all, any: _any, not: _not, ...rest } = before as Record<string, unknown>;
  return { ...rest, ...(how === "not" ? { not: rules[0] ?? null } : { [how]: [...rules] }) } as unknown as GroupOf<Rule>;
}

/** A rule in a group of its own. Its description goes to the group, which now stands in its place. */
export function grouped<Rule extends object>(rule: Rule, how: Combination, more: readonly Rule[] = []): Rule {
  const { description, ...inner } = rule as Rule & { description?: unknown };
  const group = withRules(how, [inner as Rule, ...more]) as unknown as Rule;
  return description === undefined ? group : ({ description, ...group } as Rule);
}

/** What takes the place of a group that is dissolved. */
export const dissolved = <Rule extends object>(group: GroupOf<Rule>): Rule[] => combined(group).rules.filter((rule) => rule !== null);

/** A group after one of its rules was changed, or taken out (null). A group that is left with one rule stays: the author may go on. */
export function withRule<Rule extends object>(group: GroupOf<Rule>, at: number, rule: Rule | null): GroupOf<Rule> {
  const { how, rules } = combined(group);
  const changed = rule === null ? rules.toSpliced(at, 1) : rules.with(at, rule);
  return withRules(how, changed, group);
}

/** The list after something moved from one place to another. */
export function moved<Item>(list: readonly Item[], from: number, to: number): Item[] {
  const item = list[from];
  if (item === undefined || to < 0 || to >= list.length) return [...list];
  return list.toSpliced(from, 1).toSpliced(to, 0, item);
}
