import { useEffect, useState } from "react";
import { isGroup } from "#server/model/rules/tree.ts";
import { InlineField } from "../form/form-field.tsx";
import { focusFirstIn, useAuthoring } from "../form/authoring.tsx";
import type { Path } from "#server/model/rules/finding.ts";
import { AddRule, type Grammar } from "./grammar.tsx";
import { RuleNode } from "./rule-node.tsx";
import { grouped } from "./tree.ts";

interface RuleBuilderProps<Rule extends object> {
  grammar: Grammar<Rule>;
  at: Path;
  value: Rule | null | undefined;
  onValueChange(rule: Rule | null): void;
  /** The label of the button that adds the first rule. */
  addLabel?: string;
}

/** Edits one optional rule: conditions, and groups that require all, any or none of their rules. */
export function RuleBuilder<Rule extends object>({ grammar, at, value, onValueChange, addLabel }: RuleBuilderProps<Rule>) {
  const { isReadOnly } = useAuthoring();
  const [added, setAdded] = useState<Path | null>(null);
  // The button that was pressed is gone. Its menu first tries to return the focus to it.
  useEffect(() => {
    const timer = added === null ? undefined : setTimeout(() => focusFirstIn(added), 0);
    return () => clearTimeout(timer);
  }, [added]);
  const add = (rule: Rule, place: Path) => {
    onValueChange(rule);
    setAdded(place);
  };
  if (value === null || value === undefined) {
    return (
      <InlineField at={at}>
        <AddRule<Rule> grammar={grammar} label={addLabel ?? `Add a ${grammar.noun}`} onAdd={(rule) => add(rule, at)} />
      </InlineField>
    );
  }
  return (
    <div className="flex min-w-0 flex-col gap-2">
      <RuleNode<Rule>
        grammar={grammar}
        at={at}
        rule={value}
        onChange={onValueChange}
        onRemove={() => onValueChange(null)}
        onDissolve={(rules) => onValueChange(rules[0] ?? null)}
      />
      {!isGroup(value) && !isReadOnly && (
        <AddRule<Rule>
          grammar={grammar}
          label={`Add another ${grammar.noun}`}
          onAdd={(rule) => add(grouped(value, "all", [rule]), [...at, "all", 1])}
        />
      )}
    </div>
  );
}
