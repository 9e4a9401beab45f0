"use client";

import { Gift, Trash2 } from "lucide-react";
import { Button, IconButton } from "../../_components/button.tsx";
import { Segmented } from "../../_components/choice.tsx";
import type { Numeric } from "../../../server/kernel/decimal.ts";
import type { SpanDraft, RecurrenceDraft } from "../../../server/rules/schedule.ts";
import type { Choice, Value } from "../../../server/rules/value.ts";
import { AudienceSection } from "../fields/audience-field.tsx";
import { Identity } from "../fields/identity.tsx";
import { NumberInput } from "../fields/inputs.tsx";
import { ItemValue } from "../fields/item-value.tsx";
import { useKeyedList } from "../fields/keyed-list.ts";
import { RecurrenceField } from "../fields/recurrence-field.tsx";
import { SpanField } from "../fields/span-field.tsx";
import { useAuthoring, useMember } from "../form/authoring.tsx";
import { DefinitionForm } from "../form/definition-form.tsx";
import { Place } from "../form/place.tsx";
import { Section } from "../form/section.tsx";
import { type Begin, useDefinitionForm } from "../form/use-definition-form.ts";

export function ListingForm(begin: Begin) {
  return (
    <DefinitionForm form={useDefinitionForm("marketplaceItems", begin)} tries="marketplaceItems">
      <Identity namePlaceholder="Free coffee" />
      <Offer />
      <Supply />
      <AudienceSection one="listing" description="Judged when the shop is shown, and again when something is bought." />
      <OnSale />
      <Where />
    </DefinitionForm>
  );
}

interface Content {
  catalogItem: Choice;
  value: Value;
}

const BLANK: Content = { catalogItem: null, value: null };

function Offer() {
  const { isReadOnly } = useAuthoring();
  const [price, setPrice] = useMember<Numeric | null>("priceInPoints");
  const [contents, setContents] = useMember<Content[]>("contents");
  const list = useKeyedList(contents, setContents);
  return (
    <Section title="What is sold" description="Copied at the purchase: a later change leaves what was bought as it was.">
      <Place at={["priceInPoints"]} label="Price in points" required hint="0 makes it free." className="sm:max-w-56">
        <NumberInput value={price} onValueChange={setPrice} placeholder="250" />
      </Place>
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
  const [stock, setStock] = useMember<Numeric | null>("stock");
  const [limit, setLimit] = useMember<Numeric | null>("limitPerPlayer");
  const [recurrence, setRecurrence] = useMember<RecurrenceDraft>("recurrence");
  const isRound = recurrence.kind !== "None";
  const per = isRound ? " in each round" : "";
  return (
    <Section title="How many there are">
      <div className="grid gap-4 sm:grid-cols-2">
        <Place at={["stock"]} label={`Stock${per}`} optional hint="Left empty: as many as are wanted. Never oversold.">
          <NumberInput value={stock} onValueChange={setStock} placeholder="No limit" />
        </Place>
        <Place at={["limitPerPlayer"]} label={`Limit for each player${per}`} optional hint="Left empty: as often as they like.">
          <NumberInput value={limit} onValueChange={setLimit} placeholder="No limit" />
        </Place>
      </div>
      <RecurrenceField
        value={recurrence}
        onValueChange={setRecurrence}
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
  const [appearsIn, setAppearsIn] = useMember<"Shop" | "CollectionOnly">("appearsIn");
  return (
    <Section title="Where it is shown">
      <Place at={["appearsIn"]} label="Shown" isLabelHidden>
        <Segmented
          label="Shown"
          value={appearsIn}
          onValueChange={setAppearsIn}
          options={[
            { value: "Shop", label: "In the shop and in collections" },
            { value: "CollectionOnly", label: "In collections only" },
          ]}
        />
      </Place>
    </Section>
  );
}
