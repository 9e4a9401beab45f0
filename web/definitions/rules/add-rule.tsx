"use client";

import { Plus } from "lucide-react";
import { Button } from "../../components/button.tsx";
import { Menu } from "../../components/overlay.tsx";
import type { Grammar } from "./grammar.tsx";

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
    <Button size="sm" icon={<Plus aria-hidden />} onClick={isOne ? () => onAdd(only.make()) : undefined} className="self-start">
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
