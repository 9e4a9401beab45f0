"use client";

import type { RecurrenceDraft, SpanDraft } from "../../../server/rules/schedule.ts";
import type { Choice, Value } from "../../../server/rules/value.ts";
import { Gift, Trash2 } from "lucide-react";
import { Button, IconButton } from "../../_components/button.tsx";
import { AudienceSection } from "../fields/audience-field.tsx";
import { Identity } from "../fields/identity.tsx";
import { ItemValue } from "../fields/item-value.tsx";
import { useKeyedList } from "../fields/keyed-list.ts";
import { NumberMember, SegmentedMember } from "../fields/member-fields.tsx";
import { RecurrenceField } from "../fields/recurrence-field.tsx";
import { SpanField } from "../fields/span-field.tsx";
import { useAuthoring, useMember } from "../form/authoring.tsx";
import { DefinitionForm } from "../form/definition-form.tsx";
import { Place } from "../form/place.tsx";
import { Section } from "../form/section.tsx";
import type { Begin } from "../form/use-definition-form.ts";
import { listingSummary } from "../sentences/listings.ts";

export const ListingForm = (begin: Begin) => (
  <DefinitionForm {...begin} kind="marketplaceItems" summarize={listingSummary}>
    <Identity namePlaceholder="Free coffee" />
    <Offer />
    <Supply />
    <AudienceSection one="listing" description="Judged when the shop is shown, and again when something is bought." />
    <OnSale />
    <Where />
  </DefinitionForm>
);

interface Content {
  catalogItem: Choice;
  value: Value;
}

const BLANK: Content = { catalogItem: null, value: null };

function Offer() {
  const { isReadOnly } = useAuthoring();
  const [contents, setContents] = useMember<Content[]>("contents");
  const list = useKeyedList(contents, setContents);
  return (
    <Section title="What is sold" description="Copied at the purchase: a later change leaves what was bought as it was.">
      <NumberMember
        member="priceInPoints"
        label="Price in points"
        required
        hint="0 makes it free."
        className="sm:max-w-56"
        placeholder="250"
      />
      <Place at={["contents"]} label="What the buyer gets" required isDeep={false}>
        <div className="flex flex-col gap-2">
          {list.items.map(({ id, item }, at) => (
            <div key={id} className="flex flex-wrap items-start gap-2">
              <ItemValue at={["contents", at]} {...item} onChange={(changed) => list.change(at, changed)} />
              {list.items.length > 1 && (
                <IconButton label={`Remove item ${at + 1}`} icon={<Trash2 aria-hidden />} onClick={() => list.remove(at)} />
              )}
            </div>
          ))}
          {!isReadOnly && (
            <Button size="sm" className="self-start" icon={<Gift aria-hidden />} onClick={() => list.add(BLANK)}>
              {list.items.length === 0 ? "Add a catalog item" : "Add another: a bundle"}
            </Button>
          )}
        </div>
      </Place>
    </Section>
  );
}

function Supply() {
  const [recurrence] = useMember<RecurrenceDraft>("recurrence");
  const per = recurrence.kind === "None" ? "" : " in each round";
  return (
    <Section title="How many there are">
      <div className="grid gap-4 sm:grid-cols-2">
        <NumberMember
          member="stock"
          label={`Stock${per}`}
          optional
          hint="Left empty: as many as are wanted. Never oversold."
          placeholder="No limit"
        />
        <NumberMember
          member="limitPerPlayer"
          label={`Limit for each player${per}`}
          optional
          hint="Left empty: as often as they like."
          placeholder="No limit"
        />
      </div>
      <RecurrenceField
        label="Rounds"
        never="No rounds"
        hint="With each round stock and limit begin anew, by the calendar of the project's time zone."
      />
    </Section>
  );
}

function OnSale() {
  const [onSale, setOnSale] = useMember<SpanDraft>("onSale");
  return (
    <Section title="When it is on sale" description="Before and after, the shop does not show it.">
      <SpanField at={["onSale"]} value={onSale} onValueChange={setOnSale} labels={{ startsAt: "From", endsAt: "Until" }} />
    </Section>
  );
}

function Where() {
  return (
    <Section title="Where it is shown">
      <SegmentedMember
        member="appearsIn"
        label="Shown"
        isLabelHidden
        options={[
          { value: "Shop", label: "In the shop and in collections" },
          { value: "CollectionOnly", label: "In collections only" },
        ]}
      />
    </Section>
  );
}
