"use client";

import { CALENDAR } from "#server/model/kernel/calendar.ts";
import type { ItemDraft } from "#server/model/rules/reward.ts";
import type { RecurrenceDraft } from "#server/model/rules/schedule.ts";
import { Gift, Trash2 } from "lucide-react";
import { Button, IconButton } from "#web/components/button.tsx";
import { choicesOf } from "../../document/labels.ts";
import { AudienceSection } from "../../fields/audience-field.tsx";
import { Identity } from "../../fields/identity.tsx";
import { ItemValue } from "../../fields/item-value.tsx";
import { useKeyedList } from "../../fields/keyed-list.ts";
import { NumberMember, SegmentedMember } from "../../fields/member-fields.tsx";
import { RecurrenceField } from "../../fields/recurrence-field.tsx";
import { SpanField } from "../../fields/span-field.tsx";
import { useAuthoring, useMember } from "../../form/authoring.tsx";
import { DefinitionForm } from "../../form/definition-form.tsx";
import { FormField, Section } from "../../form/form-field.tsx";
import type { Begin } from "../../form/form-state.ts";

export const ListingForm = (begin: Begin) => (
  <DefinitionForm {...begin} kind="marketplaceItems" hasSummary>
    <Identity namePlaceholder="Free coffee" />
    <Offer />
    <Supply />
    <AudienceSection one="listing" description="Checked when the shop is shown, and again at the purchase." />
    <Section title="Availability" description="The shop does not show it before or after.">
      <SpanField member="onSale" />
    </Section>
    <Section title="Visibility">
      <SegmentedMember member="appearsIn" label="Shown in" isLabelHidden options={choicesOf("appearsIn", ["Shop", "CollectionOnly"])} />
    </Section>
  </DefinitionForm>
);

const BLANK: ItemDraft = { catalogItem: null, value: null };

function Offer() {
  const { isReadOnly } = useAuthoring();
  const [contents, setContents] = useMember<ItemDraft[]>("contents");
  const list = useKeyedList(contents, setContents);
  return (
    <Section title="Price and contents" description="Later changes do not affect past purchases.">
      <NumberMember
        member="priceInPoints"
        label="Price in points"
        required
        hint="0 means free."
        className="sm:max-w-56"
        placeholder="250"
      />
      <FormField at={["contents"]} label="Contents" required isDeep={false}>
        <div className="flex flex-col gap-2">
          {list.items.map(({ id, item }, at) => (
            <div key={id} className="flex flex-wrap items-start gap-2">
              <ItemValue at={["contents", at]} {...item} onChange={(changed) => list.change(at, changed)} />
              {list.items.length > 1 && <IconButton label={`Remove item ${at + 1}`} icon={<Trash2 />} onClick={() => list.remove(at)} />}
            </div>
          ))}
          {!isReadOnly && (
            <Button size="sm" className="self-start" icon={<Gift />} onClick={() => list.add(BLANK)}>
              {list.items.length === 0 ? "Add a catalog item" : "Add another item"}
            </Button>
          )}
        </div>
      </FormField>
    </Section>
  );
}

function Supply() {
  const [recurrence] = useMember<RecurrenceDraft>("recurrence");
  const per = recurrence.kind === "Calendar" ? ` per ${CALENDAR[recurrence.every].noun}` : "";
  return (
    <Section title="Stock and limits">
      <div className="grid gap-4 sm:grid-cols-2">
        <NumberMember
          member="stock"
          label={`Stock${per}`}
          optional
          hint="Leave empty for no limit. Never oversold."
          placeholder="No limit"
        />
        <NumberMember
          member="limitPerPlayer"
          label={`Limit per player${per}`}
          optional
          hint="Leave empty for no limit."
          placeholder="No limit"
        />
      </div>
      <RecurrenceField never="Never" hint="Stock and limit reset in each period, in the project's time zone." />
    </Section>
  );
}
