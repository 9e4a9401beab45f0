"use client";

import { Plus, Trash2 } from "lucide-react";
import { Button, IconButton } from "#web/components/button.tsx";
import { NumberInput } from "../../fields/inputs.tsx";
import { useKeyedList } from "../../fields/keyed-list.ts";
import { RewardsField } from "../../fields/rewards-field.tsx";
import { useAuthoring, useMember } from "../../form/authoring.tsx";
import { PlaceProblems, Spot } from "../../form/place.tsx";
import { Section } from "../../form/section.tsx";
import type { LeaderboardDraft, Prize } from "./summary.ts";

/** Prizes by rank, granted when a period settles. */
export function PrizesSection() {
  const { draft, isReadOnly } = useAuthoring();
  const [prizes, setPrizes] = useMember<Prize[]>("prizes");
  const list = useKeyedList(prizes, setPrizes);
  const isEndless = (draft as unknown as LeaderboardDraft).period.kind === "AllTime";
  const last = Math.max(0, ...prizes.map(({ toRank }) => toRank ?? 0));
  const add = () => {
    const from = last + 1;
    list.add({ fromRank: from, toRank: from === 1 ? 3 : from + 6, rewards: [{ kind: "Points", points: null }] });
  };
  return (
    <Section
      title="Prizes"
      description={
        isEndless
          ? "Granted when a period settles. An all-time board never settles, so its prizes are never granted."
          : "Granted by rank when a period settles. Tied ranks win the same."
      }
      at={["prizes"]}
    >
      {list.items.map(({ id, item }, at) => (
        <div key={id} className="flex flex-col gap-3 rounded-lg border border-line p-3">
          <div className="flex items-start gap-2">
            <div className="flex min-w-0 flex-1 flex-wrap items-start gap-x-2 gap-y-1 text-[0.8125rem] text-quiet">
              <span className="flex h-8 items-center">Ranks</span>
              <Spot at={["prizes", at, "fromRank"]} className="w-24">
                <NumberInput
                  aria-label={`Prize ${at + 1}: from rank`}
                  value={item.fromRank}
                  onValueChange={(next) => list.change(at, { ...item, fromRank: next as number | null })}
                />
              </Spot>
              <span className="flex h-8 items-center">to</span>
              <Spot at={["prizes", at, "toRank"]} className="w-24">
                <NumberInput
                  aria-label={`Prize ${at + 1}: to rank`}
                  value={item.toRank}
                  onValueChange={(next) => list.change(at, { ...item, toRank: next as number | null })}
                />
              </Spot>
            </div>
            <IconButton label={`Remove prize ${at + 1}`} icon={<Trash2 aria-hidden />} onClick={() => list.remove(at)} />
          </div>
          <RewardsField
            at={["prizes", at, "rewards"]}
            value={item.rewards}
            onValueChange={(rewards) => list.change(at, { ...item, rewards })}
          />
          <PlaceProblems at={["prizes", at, "rewards"]} />
        </div>
      ))}
      {!isReadOnly && (
        <Button size="sm" className="self-start" icon={<Plus aria-hidden />} onClick={add}>
          Add a prize
        </Button>
      )}
    </Section>
  );
}
