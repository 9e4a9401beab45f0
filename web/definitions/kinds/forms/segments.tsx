"use client";

import { type ConditionDraft, conditionPhrase } from "#server/model/rules/condition.ts";
import { begun } from "#server/model/rules/phrase.ts";
import { scopeOf } from "../../catalogue.ts";
import { Identity } from "../../fields/identity.tsx";
import { useMember, useAuthoring } from "../../form/authoring.tsx";
import { DefinitionForm } from "../../form/definition-form.tsx";
import { Section } from "../../form/form-field.tsx";
import { Sentence } from "../../form/summary.tsx";
import type { Begin } from "../../form/form-state.ts";
import { useConditionGrammar } from "../../rules/condition-grammar.tsx";
import { RuleBuilder } from "../../rules/rule-builder.tsx";

export const SegmentForm = (begin: Begin) => (
  <DefinitionForm {...begin} kind="segments" hasSummary>
    <Identity hasDescription={false} hasImages={false} namePlaceholder="Regulars" />
    <Who />
  </DefinitionForm>
);

function Who() {
  const { catalogue } = useAuthoring();
  const [rule, setRule] = useMember<ConditionDraft | null>("rule");
  const grammar = useConditionGrammar();
  return (
    <Section title="Members" description="Players who meet these conditions, checked each time the segment is used." at={["rule"]} isSilent>
      {rule !== null && (
        <p className="text-quiet">
          <Sentence phrase={begun(conditionPhrase(rule, scopeOf(catalogue)))} />
        </p>
      )}
      <RuleBuilder grammar={grammar} at={["rule"]} value={rule} onValueChange={setRule} addLabel="Add a condition" />
    </Section>
  );
}
