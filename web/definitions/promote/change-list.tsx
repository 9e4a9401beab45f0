import { ChevronRight } from "lucide-react";
import { useState } from "react";
import { formatted, plural } from "#server/model/kernel/thousands.ts";
import { useWhere } from "../../client/service.tsx";
import { Button } from "../../components/button.tsx";
import { Checkbox } from "../../components/toggle.tsx";
import { cx } from "../../components/classes.ts";
import { useFirst } from "../../components/list-card.tsx";
import { Badge, EmptyState } from "../../components/surface.tsx";
import { ChangeDetail, ChangeTitle } from "./change-detail.tsx";
import { byKind, type Divergence, choiceKey } from "./chosen.ts";
import { SIGNS } from "./view.ts";
import { directionFrom, kindTitle, neededWords, subjectTitle } from "./names.ts";

interface ListProps {
  divergences: readonly Divergence[];
  chosen: ReadonlySet<string>;
  dependencies: ReadonlyMap<string, readonly Divergence[]>;
  problemsOf(one: Divergence): string[];
  onChoose(divergences: readonly Divergence[], isChosen: boolean): void;
  onShowAll(): void;
}

/** All differences: changed first, then new, then only in the other environment; each group by kind. */
export function ChangeList(props: ListProps) {
  const { environment } = useWhere();
  const { to } = directionFrom(environment);
  const { divergences, onShowAll } = props;
  if (divergences.length === 0) {
    return (
      <EmptyState title="No results" action={<Button onClick={onShowAll}>Show all</Button>}>
        Choose other filters, or search for something else.
      </EmptyState>
    );
  }
  const titles = { "~": "Changed", "+": "New", "-": `Only in ${to}` };
  return (
    <>
      <SelectAllShown {...props} />
      {SIGNS.map((sign) => {
        const ones = divergences.filter((one) => one.sign === sign);
        return ones.length > 0 && <ChangeSection key={sign} {...props} divergences={ones} title={titles[sign]} />;
      })}
    </>
  );
}

/** Definitions that exist only in the target must be selected one by one: bulk selection should not switch anything off. */
const selectableInBulk = (divergences: readonly Divergence[]): Divergence[] => divergences.filter(({ sign }) => sign !== "-");

function SelectAllShown({ divergences, chosen, onChoose }: ListProps) {
  const { canInBoth } = useWhere();
  const all = selectableInBulk(divergences);
  if (!canInBoth("Editor") || all.length === 0) return null;
  return (
    <div className="border-b border-line px-4 py-2.5">
      <SelectChanges all={all} chosen={chosen} onChoose={onChoose} label={`Select all shown (${formatted(all.length)})`} />
    </div>
  );
}

interface SelectAllProps extends Pick<ListProps, "chosen" | "onChoose"> {
  all: readonly Divergence[];
  label: string;
  isLabelHidden?: boolean;
}

function SelectChanges({ all, chosen, onChoose, label, isLabelHidden }: SelectAllProps) {
  const count = all.filter((one) => chosen.has(choiceKey(one))).length;
  return (
    <Checkbox
      checked={count === all.length}
      isMixed={count > 0 && count < all.length}
      onCheckedChange={(isChosen) => onChoose(all, isChosen)}
      label={label}
      isLabelHidden={isLabelHidden}
    />
  );
}

/** More rows would make the browser slow; the rest are rendered on request. */
const MAX_ROWS_AT_FIRST = 100;

/** In a section with more rows, the kinds are collapsed at first. */
const MAX_EXPANDED_ROWS = 20;

function ChangeSection({ title, divergences, chosen, dependencies, problemsOf, onChoose }: ListProps & { title: string }) {
  const { canInBoth } = useWhere();
  const [shown, rest] = useFirst(divergences, MAX_ROWS_AT_FIRST);
  // Kinds with a selection, such as one that the address names, are open.
  const [opened, setOpened] = useState(() => new Set(divergences.filter((one) => chosen.has(choiceKey(one))).map(({ kind }) => kind)));
  const kinds = [...new Set(divergences.map(({ kind }) => kind))];
  const isFolding = divergences.length > MAX_EXPANDED_ROWS && kinds.length > 1;
  const isFolded = (kind: Divergence["kind"]) => isFolding && !opened.has(kind);
  const toggle = (kind: Divergence["kind"]) => {
    const next = new Set(opened);
    if (!next.delete(kind)) next.add(kind);
    setOpened(next);
  };
  const areAllOpen = kinds.every((kind) => opened.has(kind));
  return (
    <section aria-label={title}>
      <div className="flex items-center justify-between gap-2 border-b border-line bg-raised px-4 py-2">
        <h2 className="flex items-baseline gap-2 text-sm font-semibold">
          {title} <span className="text-xs font-normal text-quiet tabular-nums">{formatted(divergences.length)}</span>
        </h2>
        {isFolding && (
          <Button size="sm" variant="ghost" onClick={() => setOpened(new Set(areAllOpen ? [] : kinds))}>
            {areAllOpen ? "Collapse all" : "Expand all"}
          </Button>
        )}
      </div>
      {byKind(shown).map(([kind, ones]) => {
        const ofKind = divergences.filter((one) => one.kind === kind);
        const whole = selectableInBulk(ofKind);
        const selected = ofKind.filter((one) => chosen.has(choiceKey(one))).length;
        return (
          <div key={kind}>
            <div className="flex items-start gap-2.5 border-b border-line px-4 py-2">
              {canInBoth("Editor") && whole.length > 0 && (
                <SelectChanges
                  all={whole}
                  chosen={chosen}
                  onChoose={onChoose}
                  label={`Select ${plural(whole.length, "definition")} of ${kindTitle(kind)}, ${title.toLowerCase()}`}
                  isLabelHidden
                />
              )}
              <h3 className="min-w-0 flex-1 text-[0.8125rem] font-medium text-quiet">
                {isFolding ? (
                  <button
                    type="button"
                    aria-expanded={!isFolded(kind)}
                    onClick={() => toggle(kind)}
                    className="flex w-full items-center gap-1.5 rounded text-left hover:text-ink"
                  >
                    <ChevronRight className={cx("size-3.5 transition-transform", !isFolded(kind) && "rotate-90")} />
                    {kindTitle(kind)}
                    <span className="font-normal tabular-nums">
                      {formatted(ofKind.length)}
                      {selected > 0 && `, ${formatted(selected)} selected`}
                    </span>
                  </button>
                ) : (
                  kindTitle(kind)
                )}
              </h3>
            </div>
            <ul className="divide-y divide-line border-b border-line" hidden={isFolded(kind)}>
              {ones.map((one) => (
                <ChangeRow
                  key={choiceKey(one)}
                  divergence={one}
                  isChosen={chosen.has(choiceKey(one))}
                  neededBy={dependencies.get(choiceKey(one)) ?? []}
                  problems={problemsOf(one)}
                  onChoose={(isChosen) => onChoose([one], isChosen)}
                />
              ))}
            </ul>
          </div>
        );
      })}
      {rest}
    </section>
  );
}

interface RowProps {
  divergence: Divergence;
  isChosen: boolean;
  /** The selected definitions that require it. */
  neededBy: readonly Divergence[];
  problems: readonly string[];
  onChoose(isChosen: boolean): void;
}

/** One different definition: whether it is included, why, and its difference. */
function ChangeRow({ divergence, isChosen, neededBy, problems, onChoose }: RowProps) {
  const { canInBoth } = useWhere();
  const isNeeded = neededBy.length > 0;
  return (
    <li className={cx("flex items-start gap-2.5 px-4 py-2", (isChosen || isNeeded) && "bg-accent-soft/40")}>
      {canInBoth("Editor") && (
        <Checkbox
          checked={isChosen || isNeeded}
          disabled={isNeeded && !isChosen}
          onCheckedChange={onChoose}
          label={`Select ${subjectTitle(divergence)}`}
          isLabelHidden
        />
      )}
      <div className="min-w-0 flex-1">
        <ChangeTitle divergence={divergence}>
          {isNeeded && !isChosen && <Badge tone="info">Needed by {neededWords(neededBy)}</Badge>}
        </ChangeTitle>
        {problems.map((problem) => (
          <p key={problem} role="alert" className="mt-1 text-[0.8125rem] text-bad wrap-anywhere">
            {problem}
          </p>
        ))}
        <ChangeDetail divergence={divergence} />
      </div>
    </li>
  );
}
