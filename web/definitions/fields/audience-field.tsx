import { EyeOff, Lock } from "lucide-react";
import type { AudienceDraft } from "#server/model/rules/audience.ts";
import { choices, option, RadioCards, Segmented } from "../../components/choice.tsx";
import { useMember } from "../form/authoring.tsx";
import { FormField, Section } from "../form/form-field.tsx";
import { useConditionGrammar } from "../rules/condition-grammar.tsx";
import { RuleBuilder } from "../rules/rule-builder.tsx";

/** The audience, and what players outside it see. */
export function AudienceSection({ one, description }: { one: string; description?: string }) {
  const [audience, setAudience] = useMember<AudienceDraft>("audience");
  const { rule, otherwise } = audience;
  const grammar = useConditionGrammar();
  return (
    <Section title="Audience" description={description}>
      <Segmented
        label="Audience"
        value={rule === null ? "everyone" : "some"}
        onValueChange={(who) => setAudience({ ...audience, rule: who === "everyone" ? null : (rule ?? { segment: null }) })}
        options={choices({ everyone: "Everyone", some: "Specific players" })}
      />
      {rule !== null && (
        <RuleBuilder
          grammar={grammar}
          at={["audience", "rule"]}
          value={rule}
          onValueChange={(next) => setAudience({ ...audience, rule: next })}
        />
      )}
      {rule !== null && (
        <FormField at={["audience", "otherwise"]} label="Everyone else">
          <RadioCards
            label="Everyone else"
            value={otherwise}
            onValueChange={(next) => setAudience({ ...audience, otherwise: next })}
            options={[
              option("Locked", "Show it locked", Lock, `They see the ${one}, marked as not open to them.`),
              option("Hidden", "Hide it", EyeOff, `They do not see the ${one}.`),
            ]}
          />
        </FormField>
      )}
    </Section>
  );
}
