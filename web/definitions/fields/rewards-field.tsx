"use client";

import { Coins, Gift, Plus, Trash2 } from "lucide-react";
import type { ReactNode } from "react";
import type { RewardDraft } from "#server/model/rules/reward.ts";
import { Button, IconButton } from "../../components/button.tsx";
import { Select } from "../../components/select.tsx";
import type { Path } from "#server/model/rules/finding.ts";
import { useAuthoring, useMember } from "../form/authoring.tsx";
import { FieldProblems, InlineField } from "../form/form-field.tsx";
import { Section } from "../form/section.tsx";
import { NumberInput } from "./inputs.tsx";
import { ItemValue } from "./item-value.tsx";
import { useKeyedList } from "./keyed-list.ts";
import { option } from "../../components/choice.tsx";

interface RewardsProps {
  at: Path;
  value: readonly RewardDraft[];
  onValueChange(rewards: RewardDraft[]): void;
}

const KINDS = [option("Points", "Points", Coins), option("CatalogItem", "Catalog item", Gift)] as const;

const blank = (kind: RewardDraft["kind"]): RewardDraft =>
  kind === "Points" ? { kind, points: null } : { kind, catalogItem: null, value: null };

/** Rewards: points, or catalog items with their values. */
export function RewardsField({ at, value, onValueChange }: RewardsProps) {
  const { isReadOnly } = useAuthoring();
  const list = useKeyedList(value, onValueChange);
  return (
    <div className="flex min-w-0 flex-col gap-2">
      {list.items.map(({ id, item }, index) => (
        <div key={id} className="flex items-start gap-2">
          <div className="flex min-w-0 flex-1 flex-wrap items-start gap-2">
            <Select
              aria-label={`Kind of reward ${index + 1}`}
              className="w-40 shrink-0 max-sm:w-full"
              value={item.kind}
              onValueChange={(kind) => kind !== item.kind && list.change(index, blank(kind))}
              options={KINDS}
            />
            {item.kind === "Points" ? (
              <InlineField at={[...at, index, "points"]} className="min-w-28 flex-1">
                <NumberInput
                  aria-label="Points"
                  placeholder="How many"
                  value={item.points}
                  onValueChange={(points) => list.change(index, { kind: "Points", points: points as number | null })}
                />
              </InlineField>
            ) : (
              <ItemValue
                at={[...at, index]}
                catalogItem={item.catalogItem}
                value={item.value}
                onChange={(changes) => list.change(index, { kind: "CatalogItem", ...changes })}
              />
            )}
          </div>
          <IconButton label={`Remove reward ${index + 1}`} icon={<Trash2 aria-hidden />} onClick={() => list.remove(index)} />
        </div>
      ))}
      {!isReadOnly && (
        <div className="flex flex-wrap gap-2">
          <Button size="sm" icon={<Coins aria-hidden />} onClick={() => list.add(blank("Points"))}>
            Add points
          </Button>
          <Button size="sm" icon={<Gift aria-hidden />} onClick={() => list.add(blank("CatalogItem"))}>
            Add a catalog item
          </Button>
        </div>
      )}
    </div>
  );
}

export const BLANK_REWARDS: RewardDraft[] = [blank("Points")];

interface RewardedProps<Item> {
  /** The list of the definition; its entries have rewards. */
  member: string;
  title: string;
  description: string;
  /** "prize": an entry. */
  noun: string;
  make(items: readonly Item[]): Item;
  /** The fields of an entry besides its rewards. */
  children(entry: { item: Item; at: number; change(item: Item): void }): ReactNode;
}

/** A list of entries with rewards: milestones and prizes. */
export function RewardedList<Item extends { rewards: RewardDraft[] }>({ member, noun, make, children, ...section }: RewardedProps<Item>) {
  const { isReadOnly } = useAuthoring();
  const [items, setItems] = useMember<Item[]>(member);
  const list = useKeyedList(items, setItems);
  return (
    <Section {...section} at={[member]}>
      {list.items.map(({ id, item }, at) => (
        <div key={id} className="flex flex-col gap-3 rounded-lg border border-line p-3">
          <div className="flex items-start gap-2">
            {children({ item, at, change: (next) => list.change(at, next) })}
            <IconButton label={`Remove ${noun} ${at + 1}`} icon={<Trash2 aria-hidden />} onClick={() => list.remove(at)} />
          </div>
          <RewardsField
            at={[member, at, "rewards"]}
            value={item.rewards}
            onValueChange={(rewards) => list.change(at, { ...item, rewards })}
          />
          <FieldProblems at={[member, at, "rewards"]} />
        </div>
      ))}
      {!isReadOnly && (
        <Button size="sm" className="self-start" icon={<Plus aria-hidden />} onClick={() => list.add(make(items))}>
          Add a {noun}
        </Button>
      )}
    </Section>
  );
}
