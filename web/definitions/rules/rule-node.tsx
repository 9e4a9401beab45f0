import { ArrowDown, ArrowUp, Copy, Ellipsis, Group as GroupIcon, Trash2, Ungroup } from "lucide-react";
import type { ReactNode } from "react";
import { begun, textOf } from "#server/model/rules/phrase.ts";
import { type Combination, combined, type GroupOf, isGroup } from "#server/model/rules/tree.ts";
import { choices } from "../../components/choice.tsx";
import { IconButton } from "../../components/button.tsx";
import { Menu, type MenuItem } from "../../components/overlay.tsx";
import { Select } from "../../components/select.tsx";
import { useKeyedList } from "../fields/keyed-list.ts";
import { Sortable } from "../fields/sortable.tsx";
import { useAuthoring } from "../form/authoring.tsx";
import { FieldProblems } from "../form/form-field.tsx";
import type { Path } from "#server/model/rules/finding.ts";
import { capitalised } from "#server/model/kernel/thousands.ts";
import { AddRule, type Grammar } from "./grammar.tsx";
import { dissolved, grouped, recombined, withRules } from "./tree.ts";

/** What can be done with a rule at its position. */
interface RuleActions<Rule> {
  onChange(rule: Rule): void;
  onRemove?(): void;
  /** Replaces a group by its rules. */
  onDissolve?(rules: Rule[]): void;
  /** Whether several rules are allowed. */
  hasRoom?: boolean;
  onDuplicate?(): void;
  /** Moves by one position; absent at the ends. */
  onMoveUp?(): void;
  onMoveDown?(): void;
  handle?: ReactNode;
}

interface NodeProps<Rule extends object> extends RuleActions<Rule> {
  grammar: Grammar<Rule>;
  at: Path;
  rule: Rule;
}

/** One rule: a condition's controls in a row, or a group. */
export const RuleNode = <Rule extends object>(props: NodeProps<Rule>) =>
  isGroup(props.rule) ? <GroupNode {...props} /> : <LeafNode {...props} />;

function LeafNode<Rule extends object>({ grammar, at, rule, onChange, handle, ...standing }: NodeProps<Rule>) {
  const { isReadOnly } = useAuthoring();
  const { Leaf, kinds } = grammar;
  const kind = grammar.kindOf(rule);
  return (
    <div className="flex min-w-0 items-start gap-1">
      {handle}
      <div className="flex min-w-0 flex-1 flex-wrap items-start gap-2">
        {kinds.length > 1 && (
          <Select
            aria-label={`What the ${grammar.noun} is about`}
            className="w-32 shrink-0 max-sm:w-full"
            value={kind}
            onValueChange={(next) => next !== kind && onChange(begunAs(kinds.find(({ value }) => value === next)!.make(), rule))}
            options={kinds.map(({ value, label, icon }) => ({ value, label, icon }))}
          />
        )}
        <Leaf rule={rule} onChange={onChange} at={at} />
        <FieldProblems at={at} />
      </div>
      {!isReadOnly && <RuleMenu grammar={grammar} rule={rule} onChange={onChange} {...standing} />}
    </div>
  );
}

/** Changing the kind keeps what belongs to the position: an objective's description. */
const begunAs = <Rule extends object>(next: Rule, before: Rule): Rule =>
  "description" in before ? { ...next, description: before.description } : next;

const COMBINATIONS = choices<Combination, string>({ all: "All of these", any: "Any of these", not: "Not this" });

function GroupNode<Rule extends object>({ grammar, at, rule, onChange, handle, ...standing }: NodeProps<Rule>) {
  const { isReadOnly } = useAuthoring();
  const group = rule as unknown as GroupOf<Rule>;
  const { how, rules } = combined(group);
  const become = (next: GroupOf<Rule>) => onChange(next as unknown as Rule);
  const list = useKeyedList(
    rules.filter((one) => one !== null),
    (next) => become(withRules(how, next, group)),
  );
  const place = (index: number): Path => (how === "not" ? [...at, how] : [...at, how, index]);
  const canAdd = how !== "not" || list.items.length === 0;
  return (
    <div className="flex min-w-0 flex-col gap-3 rounded-lg border border-line bg-raised p-3">
      <div className="flex items-center gap-1">
        {handle}
        <Select
          aria-label="How these are combined"
          className="w-36"
          value={how}
          onValueChange={(next) => become(recombined(group, next))}
          options={COMBINATIONS}
        />
        <span className="flex-1" />
        {!isReadOnly && <RuleMenu grammar={grammar} rule={rule} onChange={onChange} {...standing} />}
      </div>
      <div className="ml-1 border-l-2 border-line-strong pl-3">
        <Sortable
          hasArrows={false}
          ids={list.items.map(({ id }) => id)}
          onMove={list.move}
          nameOf={(index) => `${grammar.noun} ${index + 1}`}
        >
          {(index, inner) => (
            <RuleNode
              grammar={grammar}
              at={place(index)}
              rule={list.items[index]!.item}
              handle={isReadOnly ? null : inner}
              onChange={(next) => list.change(index, next)}
              onRemove={() => list.remove(index)}
              onDissolve={(inside) => list.replace(index, inside)}
              hasRoom={how !== "not"}
              onDuplicate={how === "not" ? undefined : () => list.insert(index + 1, list.items[index]!.item)}
              onMoveUp={index > 0 ? () => list.move(index, index - 1) : undefined}
              onMoveDown={index < list.items.length - 1 ? () => list.move(index, index + 1) : undefined}
            />
          )}
        </Sortable>
      </div>
      <FieldProblems at={[...at, how]} />
      {canAdd && !isReadOnly && <AddRule grammar={grammar} label={`Add a ${grammar.noun}`} onAdd={(next) => list.add(next)} />}
    </div>
  );
}

interface RuleMenuProps<Rule extends object> extends RuleActions<Rule> {
  grammar: Grammar<Rule>;
  rule: Rule;
}

function RuleMenu<Rule extends object>({
  grammar,
  rule,
  onChange,
  onRemove,
  onDissolve,
  hasRoom,
  onDuplicate,
  onMoveUp,
  onMoveDown,
}: RuleMenuProps<Rule>) {
  const items: MenuItem[] = [];
  if (onMoveUp) items.push({ label: "Move up", icon: <ArrowUp />, onSelect: onMoveUp });
  if (onMoveDown) items.push({ label: "Move down", icon: <ArrowDown />, onSelect: onMoveDown });
  if (onDuplicate) items.push({ label: "Duplicate", icon: <Copy />, onSelect: onDuplicate });
  items.push({
    label: "Group conditions",
    icon: <GroupIcon />,
    hint: "To combine it with “or”, or with another condition",
    onSelect: () => onChange(grouped(rule, "any")),
  });
  items.push({ label: "Negate", icon: <GroupIcon />, onSelect: () => onChange(negationOf(rule)) });
  if (isGroup(rule) && onDissolve) {
    const inside = dissolved(rule as unknown as GroupOf<Rule>);
    if (inside.length === 1 || (hasRoom && inside.length > 0))
      items.push({ label: "Ungroup", icon: <Ungroup />, onSelect: () => onDissolve(inside) });
  }
  if (onRemove) items.push({ label: "Remove", icon: <Trash2 />, isDanger: true, isApart: true, onSelect: onRemove });
  const name = textOf(begun(grammar.phraseOf(rule)));
  const hint = `${capitalised(grammar.noun)} actions`;
  return <Menu items={items} trigger={<IconButton label={`${hint}: ${name}`} data-hint={hint} icon={<Ellipsis />} />} />;
}

/** Negates a rule; negating a negation returns the rule inside it. */
function negationOf<Rule extends object>(rule: Rule): Rule {
  if (!isGroup(rule)) return grouped(rule, "not");
  const group = rule as unknown as GroupOf<Rule>;
  const { how, rules } = combined(group);
  return how === "not" && rules[0] !== undefined && rules[0] !== null ? rules[0] : grouped(rule, "not");
}
