"use client";

import { InstantInput } from "#web/components/instant-input.tsx";
import { CurrencyPicker } from "../../fields/currency-picker.tsx";
import { NumberMember } from "../../fields/member-fields.tsx";
import { useAuthoring, useMember } from "../../form/authoring.tsx";
import { DefinitionForm } from "../../form/definition-form.tsx";
import { Place } from "../../form/place.tsx";
import { Section } from "../../form/section.tsx";
import type { Begin } from "../../form/use-definition-form.ts";

export const ValuationForm = (begin: Begin) => (
  <DefinitionForm {...begin} kind="pointsValuations">
    <Worth />
  </DefinitionForm>
);

/** What a point is worth from an instant on. */
function Worth() {
  const { catalogue } = useAuthoring();
  const [from, setFrom] = useMember<string | null>("effectiveFrom");
  const [currency, setCurrency] = useMember<string>("currency");
  return (
    <Section title="Worth" description="Used in analytics to price the points that players hold. Players do not see it.">
      <Place
        at={["effectiveFrom"]}
        label="From"
        required
        hint={`In the project's time zone, ${catalogue.timeZone}.`}
        className="sm:max-w-64"
      >
        <InstantInput value={from} onValueChange={setFrom} timeZone={catalogue.timeZone} />
      </Place>
      <div className="grid gap-4 sm:grid-cols-3">
        <NumberMember member="points" label="Points" required placeholder="100" />
        <NumberMember member="amount" label="Are worth" required placeholder="1" />
        <Place at={["currency"]} label="Currency" required>
          <CurrencyPicker value={currency} onValueChange={setCurrency} />
        </Place>
      </div>
    </Section>
  );
}
