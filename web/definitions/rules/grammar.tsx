import { type LucideIcon, Plus } from "lucide-react";
import type { ComponentType, ReactNode } from "react";
import { Button } from "../../components/button.tsx";
import { Menu } from "../../components/overlay.tsx";
import type { Phrase } from "#server/model/rules/phrase.ts";
import type { Path } from "#server/model/rules/finding.ts";

export interface LeafProps<Leaf> {
  rule: Leaf;
  onChange(rule: Leaf): void;
  at: Path;
}

export interface LeafKind<Rule> {
  value: string;
  label: string;
  hint?: string;
  icon: ReactNode;
  make(): Rule;
}

export const leafKind = <Rule,>(value: string, label: string, hint: string, Icon: LucideIcon, make: () => Rule): LeafKind<Rule> => ({
  value,
  label,
  hint,
  icon: <Icon />,
  make,
});

/** A grammar of the rule builder: its kinds of leaves, their editors, and their sentences. */
export interface Grammar<Rule extends object> {
  /** "condition", "objective" */
  noun: string;
  kinds: readonly LeafKind<Rule>[];
  kindOf(leaf: Rule): string;
  Leaf: ComponentType<LeafProps<Rule>>;
  phraseOf(rule: Rule): Phrase;
}

interface AddRuleProps<Rule extends object> {
  grammar: Grammar<Rule>;
  label: string;
  onAdd(rule: Rule): void;
}

/** Adds a rule of a kind from a menu; directly, if there is only one kind. */
export function AddRule<Rule extends object>({ grammar, label, onAdd }: AddRuleProps<Rule>) {
  const [only, ...more] = grammar.kinds;
  const isOne = more.length === 0 && only !== undefined;
  const button = (
    <Button size="sm" icon={<Plus />} onClick={isOne ? () => onAdd(only.make()) : undefined} className="self-start">
      {label}
    </Button>
  );
  if (isOne) return button;
  return (
    <Menu
      align="start"
      trigger={button}
      items={grammar.kinds.map(({ label: name, hint, icon, make }) => ({ label: name, hint, icon, onSelect: () => onAdd(make()) }))}
    />
  );
}
