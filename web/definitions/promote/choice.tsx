import { useEffect, useRef, useState } from "react";
import { useQueryClient } from "@tanstack/react-query";
import type { RequestTexts } from "../../change-requests/ask-dialog.tsx";
import { DefinitionLink } from "../../client/links.tsx";
import { orpc, useWhere } from "../../client/service.tsx";
import { useFirst } from "../../components/list-card.tsx";
import { Card, Counted, EmptyState, Notice } from "../../components/surface.tsx";
import { ChangeList } from "./change-list.tsx";
import { byKind, withChoice, dependenciesOf, type Divergence, type Comparison, choiceKey, type Same, includedOf } from "./chosen.ts";
import { PromoteBar, Review } from "./review.tsx";
import { usePromotion } from "./use-promotion.ts";
import { chosenFrom, NO_FILTER, shownIn, type ChangeStatus, type View } from "./view.ts";
import { Segmented } from "../../components/choice.tsx";
import { Select } from "../../components/lazy-controls.tsx";
import { SearchInput, TableToolbar } from "../../components/table-toolbar.tsx";
import { differenceWords, directionFrom, kindTitle } from "./names.ts";

interface ChoiceProps {
  divergences: readonly Divergence[];
  same: readonly Same[];
  versions: Comparison["versions"];
  chosenBefore: string | null;
  onDone(count: number): void;
}

/** Two steps: selection, then review and confirmation. */
export function ChangeChoice({ divergences, same, versions, chosenBefore, onDone }: ChoiceProps) {
  const { canInBoth, environment } = useWhere();
  const direction = directionFrom(environment);
  const client = useQueryClient();
  const [chosen, setChosen] = useState<ReadonlySet<string>>(() => chosenFrom(chosenBefore, divergences));
  const [view, setView] = useState<View>(NO_FILTER);
  const [isReviewing, setReviewing] = useState(false);
  const promotion = usePromotion(divergences, chosen, versions);
  const list = useRef<HTMLDivElement>(null);
  const wasReviewing = useRef(false);
  useEffect(() => {
    if (wasReviewing.current && !isReviewing) list.current?.focus();
    wasReviewing.current = isReviewing;
  }, [isReviewing]);

  const included = includedOf(divergences, chosen);
  const shown = shownIn(divergences, same, view);
  const dependencies = dependenciesOf(divergences, chosen);

  async function confirm(request?: RequestTexts): Promise<void> {
    const count = await promotion.confirm(request);
    if (count === null) return;
    onDone(count);
    await client.invalidateQueries({ queryKey: orpc.definitions.key() });
  }

  // A refresh may have found that the selection no longer differs.
  if (isReviewing && included.length === 0) setReviewing(false);
  if (isReviewing && included.length > 0) {
    return <Review included={included} promotion={promotion} onBack={() => setReviewing(false)} onConfirm={confirm} />;
  }
  return (
    <div ref={list} tabIndex={-1} className="flex flex-col gap-4 outline-none">
      <p className="text-base font-medium">{differenceWords(divergences, direction)}.</p>
      {/* The menu of a definition leads here, also if it does not differ. */}
      {chosen.size === 0 && chosenFrom(chosenBefore, same).size > 0 && (
        <Notice>
          What you wanted to {direction.verb.toLowerCase()} is the same in {direction.to}.
        </Notice>
      )}
      <Card padded={false}>
        <ChangeFilters
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
            dependencies={dependencies}
            problemsOf={promotion.problemsOf}
            onChoose={(these, isChosen) => setChosen(withChoice(chosen, these, isChosen))}
            onShowAll={() => setView(NO_FILTER)}
          />
        )}
      </Card>
      {canInBoth("Editor") && (
        <PromoteBar included={included} promotion={promotion} onReview={() => setReviewing(true)} onClear={() => setChosen(new Set())} />
      )}
    </div>
  );
}

interface FiltersProps {
  view: View;
  counts: Record<ChangeStatus, number>;
  kinds: readonly Divergence["kind"][];
  onView(view: View): void;
}

/** Filters by text, kind and status. */
function ChangeFilters({ view, counts, kinds, onView }: FiltersProps) {
  const { environment } = useWhere();
  const { to } = directionFrom(environment);
  const labels: [ChangeStatus, string][] = [
    ["all", "All changes"],
    ["changed", "Changed"],
    ["new", "New"],
    ["off", `Only in ${to}`],
    ["same", "Same"],
  ];
  return (
    <TableToolbar>
      <SearchInput value={view.search} onValueChange={(search) => onView({ ...view, search })} label="Search definitions" />
      <div className="w-full sm:w-48">
        <Select
          aria-label="Kind"
          value={view.kind}
          onValueChange={(kind) => onView({ ...view, kind })}
          options={[
            { value: "all" as View["kind"], label: "All kinds" },
            ...kinds.map((kind) => ({ value: kind as View["kind"], label: kindTitle(kind) })),
          ]}
        />
      </div>
      <Segmented
        label="Status"
        value={view.status}
        onValueChange={(status) => onView({ ...view, status })}
        options={labels.map(([value, label]) => ({ value, label: <Counted label={label} count={counts[value]} /> }))}
        className="self-center"
      />
    </TableToolbar>
  );
}

const AT_ONCE = 100;

/** Definitions that are the same in both environments. */
function SameList({ same }: { same: readonly Same[] }) {
  const [shown, rest] = useFirst(same, AT_ONCE);
  if (same.length === 0) return <EmptyState title="No results">Choose other filters, or search for something else.</EmptyState>;
  return (
    <>
      {byKind(shown).map(([kind, ones]) => (
        <section key={kind} aria-label={kindTitle(kind)}>
          <h2 className="border-b border-line bg-raised px-4 py-2 text-[0.8125rem] font-medium text-quiet">{kindTitle(kind)}</h2>
          <ul className="divide-y divide-line border-b border-line">
            {ones.map((one) => (
              <li key={choiceKey(one)} className="flex flex-wrap items-center gap-x-2 px-4 py-2">
                <DefinitionLink kind={kind} of={one.key} className="text-sm" name={one.name} />
                {one.name !== one.key && <code className="font-mono text-xs text-quiet wrap-anywhere">{one.key}</code>}
              </li>
            ))}
          </ul>
        </section>
      ))}
      {rest}
    </>
  );
}
