import { Activity, Box, Gauge, MessageSquareText } from "lucide-react";
import { type ReactNode, useMemo, useState } from "react";
import type { Text } from "#server/model/kernel/texts.ts";
import {
  type AttributeObjectiveDraft,
  type MeasuredObjectiveDraft,
  type ObjectiveDraft,
  objectivePhrase,
} from "#server/model/rules/objective.ts";
import { begun } from "#server/model/rules/phrase.ts";
import { isMeasured } from "#server/model/rules/measured.ts";
import { scopeOf } from "../catalogue.ts";
import { Button } from "../../components/button.tsx";
import { emptyText, isBlank } from "../document/text.ts";
import { useAuthoring, useMember } from "../form/authoring.tsx";
import { FieldProblems } from "../form/form-field.tsx";
import { Sentence } from "../form/summary.tsx";
import { AddRule, type Grammar, leafKind, type LeafProps } from "../rules/grammar.tsx";
import { RuleNode } from "../rules/rule-node.tsx";
import { useKeyedList } from "./keyed-list.ts";
import { Sortable } from "./sortable.tsx";
import { TextField } from "./text-field.tsx";
import { AttributeControls } from "../rules/comparison.tsx";
import { MeasuredRule } from "../rules/measured.tsx";

/** A mission's objectives, each a sentence above its controls. */
export function ObjectivesField() {
  const { isReadOnly, fixedAt } = useAuthoring();
  const [objectives, setObjectives] = useMember<ObjectiveDraft[]>("objectives");
  const grammar = useObjectiveGrammar();
  const list = useKeyedList(objectives, setObjectives);
  const reason = fixedAt(["objectives"]);
  if (reason !== null) return <FixedObjectives objectives={objectives} />;
  return (
    <div className="flex min-w-0 flex-col gap-3">
      <Sortable hasArrows={false} ids={list.items.map(({ id }) => id)} onMove={list.move} nameOf={(at) => `objective ${at + 1}`}>
        {(at, handle) => {
          const objective = list.items[at]!.item;
          return (
            <ObjectiveCard objective={objective} at={at} onChange={(next) => list.change(at, next)}>
              <RuleNode<ObjectiveDraft>
                grammar={grammar}
                at={["objectives", at]}
                rule={objective}
                handle={isReadOnly ? null : handle}
                onChange={(next) => list.change(at, next)}
                onRemove={() => list.remove(at)}
                onDissolve={(inside) => list.replace(at, inside)}
                hasRoom
                onDuplicate={() => list.insert(at + 1, objective)}
                onMoveUp={at > 0 ? () => list.move(at, at - 1) : undefined}
                onMoveDown={at < list.items.length - 1 ? () => list.move(at, at + 1) : undefined}
              />
            </ObjectiveCard>
          );
        }}
      </Sortable>
      {!isReadOnly && <AddRule<ObjectiveDraft> grammar={grammar} label="Add an objective" onAdd={(objective) => list.add(objective)} />}
      <FieldProblems at={["objectives"]} />
    </div>
  );
}

interface CardProps {
  objective: ObjectiveDraft;
  at: number;
  onChange(objective: ObjectiveDraft): void;
  children: ReactNode;
}

function ObjectiveCard({ objective, at, onChange, children }: CardProps) {
  const { catalogue, isReadOnly } = useAuthoring();
  const { description } = objective;
  const hasWords = description !== null && description !== undefined && !isBlank(description);
  const [isOpen, setOpen] = useState(hasWords);
  return (
    <div className="flex min-w-0 flex-col gap-3 rounded-lg border border-line p-3">
      <p className="text-sm text-quiet">
        <Sentence phrase={begun(objectivePhrase(objective, scopeOf(catalogue)))} />
      </p>
      {children}
      {isOpen || hasWords ? (
        <TextField
          at={["objectives", at, "description"]}
          label="Description for players"
          value={description}
          onValueChange={(words: Text) => onChange({ ...objective, description: words })}
          optional
        />
      ) : (
        !isReadOnly && (
          <Button
            size="sm"
            variant="ghost"
            icon={<MessageSquareText />}
            className="self-start"
            onClick={() => {
              onChange({ ...objective, description: description ?? emptyText(catalogue.language) });
              setOpen(true);
            }}
          >
            Add a description for players
          </Button>
        )
      )}
    </div>
  );
}

/** Objectives are immutable after creation. */
function FixedObjectives({ objectives }: { objectives: readonly ObjectiveDraft[] }) {
  const { catalogue } = useAuthoring();
  return (
    <ol className="flex flex-col gap-2">
      {objectives.map((objective, at) => (
        <li key={at} className="rounded-lg border border-line bg-sunken px-3 py-2 text-quiet">
          <Sentence phrase={begun(objectivePhrase(objective, scopeOf(catalogue)))} />
          {objective.description && !isBlank(objective.description) && (
            <p className="text-[0.8125rem] wrap-anywhere">“{objective.description.texts[objective.description.default]}”</p>
          )}
        </li>
      ))}
    </ol>
  );
}

const AT_LEAST_ONCE = { where: null, measure: { kind: "Count" }, operator: "GreaterThanOrEqualTo", target: 1 } as const;

const KINDS: Grammar<ObjectiveDraft>["kinds"] = [
  leafKind("event", "Event", "Something the player does", Activity, () => ({ event: null, ...AT_LEAST_ONCE })),
  leafKind("metric", "Metric", "A running total of the player", Gauge, () => ({
    metric: null,
    ...AT_LEAST_ONCE,
    measure: { kind: "Sum", property: null },
    target: null,
  })),
  leafKind("attribute", "Attribute", "A fact about the player", Box, () => ({ attribute: null, operator: "EqualTo", target: null })),
];

function useObjectiveGrammar(): Grammar<ObjectiveDraft> {
  const { catalogue } = useAuthoring();
  return useMemo(
    () => ({
      noun: "condition",
      kinds: KINDS,
      kindOf: (leaf) => ("attribute" in leaf ? "attribute" : "metric" in leaf ? "metric" : "event"),
      Leaf: ObjectiveLeaf,
      phraseOf: (rule) => objectivePhrase(rule, scopeOf(catalogue)),
    }),
    [catalogue],
  );
}

function ObjectiveLeaf({ rule, ...props }: LeafProps<ObjectiveDraft>) {
  if (isMeasured(rule)) return <MeasuredRule<MeasuredObjectiveDraft> {...props} rule={rule} />;
  return <AttributeControls<AttributeObjectiveDraft> {...props} rule={rule as AttributeObjectiveDraft} />;
}
