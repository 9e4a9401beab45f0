"use client";

import { useEffect, useRef, useState } from "react";
import { useQueryClient } from "@tanstack/react-query";
import { orpc } from "../../client/rpc.ts";
import { useWhere } from "../../client/where.tsx";
import { Card } from "../../components/surface.tsx";
import { ChangeList } from "./change-list.tsx";
import { choosing, comingAlong, type Divergence, type Found, type Same, takenOf } from "./chosen.ts";
import { Filters } from "./filters.tsx";
import { PromoteBar } from "./promote-bar.tsx";
import { Review } from "./review.tsx";
import { SameList } from "./same-list.tsx";
import { usePromotion } from "./use-promotion.ts";
import { chosenFrom, EVERYTHING, shownIn, type View } from "./view.ts";

interface ChoiceProps {
  divergences: readonly Divergence[];
  same: readonly Same[];
  versions: Found["versions"];
  chosenBefore: string | null;
  onDone(count: number): void;
}

/** Two steps: selection, then review and confirmation. */
export function Choice({ divergences, same, versions, chosenBefore, onDone }: ChoiceProps) {
  const { can } = useWhere();
  const client = useQueryClient();
  const [chosen, setChosen] = useState<ReadonlySet<string>>(() => chosenFrom(chosenBefore, divergences));
  const [view, setView] = useState<View>(EVERYTHING);
  const [isReviewing, setReviewing] = useState(false);
  const promotion = usePromotion(divergences, chosen, versions);
  const list = useRef<HTMLDivElement>(null);
  const wasReviewing = useRef(false);
  useEffect(() => {
    if (wasReviewing.current && !isReviewing) list.current?.focus();
    wasReviewing.current = isReviewing;
  }, [isReviewing]);

  const taken = takenOf(divergences, chosen);
  const shown = shownIn(divergences, same, view);
  const along = comingAlong(divergences, chosen);

  async function confirm(): Promise<void> {
    const count = await promotion.confirm();
    if (count === null) return;
    onDone(count);
    await client.invalidateQueries({ queryKey: orpc.definitions.key() });
  }

  if (isReviewing && taken.length > 0) {
    return <Review taken={taken} promotion={promotion} onBack={() => setReviewing(false)} onConfirm={confirm} />;
  }
  return (
    <div ref={list} tabIndex={-1} className="flex flex-col gap-4 outline-none">
      <Card padded={false}>
        <Filters
          view={view}
          counts={shown.counts}
          kinds={[...new Set([...divergences, ...same].map(({ kind }) => kind))]}
          onView={setView}
        />
        {view.status === "same" ? (
          <SameList same={shown.same} />
        ) : (
          <ChangeList
            divergences={shown.divergences}
            chosen={chosen}
            along={along}
            problemsOf={promotion.problemsOf}
            onChoose={(these, isChosen) => setChosen(choosing(chosen, these, isChosen))}
            onShowAll={() => setView(EVERYTHING)}
          />
        )}
      </Card>
      {can("Editor") && (
        <PromoteBar taken={taken} promotion={promotion} onReview={() => setReviewing(true)} onClear={() => setChosen(new Set())} />
      )}
    </div>
  );
}
