import { Coins, Gift, type LucideIcon, Plus, Trash2 } from "lucide-react";
import type { ReactNode } from "react";
import type { RewardDraft } from "#server/model/rules/reward.ts";
import { Button, IconButton } from "../../components/button.tsx";
import { cx } from "../../components/classes.ts";
import { Select } from "../../components/select.tsx";
import type { Path } from "#server/model/rules/finding.ts";
import { useAuthoring, useMember } from "../form/authoring.tsx";
import { FieldProblems, InlineField, Section } from "../form/form-field.tsx";
import { NumberInput } from "./inputs.tsx";
import { ItemValue } from "./item-value.tsx";
import { useKeyedList } from "./keyed-list.ts";
import { option } from "../../components/choice.tsx";

interface RewardsProps {
  at: Path;
  value: readonly RewardDraft[];
  onValueChange(rewards: RewardDraft[]): void;
}

/** A kind of reward: its name, the button that adds one, an empty one, and its fields. */
const KINDS: {
  [Kind in RewardDraft["kind"]]: {
    label: string;
    add: string;
    icon: LucideIcon;
    blank: Extract<RewardDraft, { kind: Kind }>;
    fields(props: { at: Path; item: Extract<RewardDraft, { kind: Kind }>; onChange(item: RewardDraft): void }): ReactNode;
  };
} = {
  Points: {
    label: "Points",
    add: "Add points",
    icon: Coins,
    blank: { kind: "Points", points: null },
    fields: ({ at, item, onChange }) => (
      <InlineField at={[...at, "points"]} className="w-40 max-sm:flex-1">
        <NumberInput
          aria-label="Points"
          placeholder="How many"
          value={item.points}
          onValueChange={(points) => onChange({ ...item, points: points as number | null })}
        />
      </InlineField>
    ),
  },
  CatalogItem: {
    label: "Catalog item",
    add: "Add a catalog item",
    icon: Gift,
    blank: { kind: "CatalogItem", catalogItem: null, value: null },
    fields: ({ at, item, onChange }) => <ItemValue at={at} {...item} onChange={(changes) => onChange({ ...item, ...changes })} />,
  },
};

const KIND_NAMES = Object.keys(KINDS) as RewardDraft["kind"][];
const OPTIONS = KIND_NAMES.map((kind) => option(kind, KINDS[kind].label, KINDS[kind].icon));

/** Rewards: points, or catalog items with their values. */
export function RewardsField({ at, value, onValueChange }: RewardsProps) {
  const { isReadOnly } = useAuthoring();
  const list = useKeyedList(value, onValueChange);
  return (
    <div className="flex min-w-0 flex-col gap-2">
      {list.items.map(({ id, item }, index) => (
        <div key={id} className="flex max-w-2xl items-start gap-2">
          <div className={cx("flex min-w-0 flex-wrap items-start gap-2 max-sm:flex-1", item.kind === "CatalogItem" && "flex-1")}>
            <Select
              aria-label={`Kind of reward ${index + 1}`}
              className="w-40 shrink-0 max-sm:w-full"
              value={item.kind}
              onValueChange={(kind) => kind !== item.kind && list.change(index, KINDS[kind].blank)}
              options={OPTIONS}
            />
            {KINDS[item.kind].fields({
              at: [...at, index],
              item: item as never,
              onChange: (next) => list.change(index, next),
            })}
          </div>
          <IconButton label={`Remove reward ${index + 1}`} icon={<Trash2 />} onClick={() => list.remove(index)} />
        </div>
      ))}
      {!isReadOnly && (
        <div className="flex flex-wrap gap-2">
          {KIND_NAMES.map((kind) => {
            const { add, icon: Icon, blank } = KINDS[kind];
            return (
              <Button key={kind} size="sm" icon={<Icon />} onClick={() => list.add(blank)}>
                {add}
              </Button>
            );
          })}
        </div>
      )}
    </div>
  );
}

export const BLANK_REWARDS: RewardDraft[] = [KINDS.Points.blank];

interface RewardedProps<Item> {
  /** The definition's member that has the list. */
  member: string;
  title: string;
  description: string;
  /** The name of an entry, such as "prize". */
  noun: string;
  make(items: readonly Item[]): Item;
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
            <IconButton label={`Remove ${noun} ${at + 1}`} icon={<Trash2 />} onClick={() => list.remove(at)} />
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
        <Button size="sm" className="self-start" icon={<Plus />} onClick={() => list.add(make(items))}>
          Add a {noun}
        </Button>
      )}
    </Section>
  );
}
