"use client";

import { useState } from "react";
import { formatted, plural } from "#server/model/kernel/thousands.ts";
import { useWhere } from "../../client/where.tsx";
import { Button } from "../../components/button.tsx";
import { Checkbox } from "../../components/choice.tsx";
import { EmptyState } from "../../components/surface.tsx";
import { ChangeRow } from "./change-row.tsx";
import { byKind, type Divergence, nameOf } from "./chosen.ts";
import { directionFrom } from "./direction.ts";
import { kindTitle } from "./names.ts";
import { SIGNS } from "./view.ts";

interface ListProps {
  divergences: readonly Divergence[];
  chosen: ReadonlySet<string>;
  along: ReadonlyMap<string, readonly Divergence[]>;
  problemsOf(one: Divergence): string[];
  onChoose(these: readonly Divergence[], isChosen: boolean): void;
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
      <SelectShown {...props} />
      {SIGNS.map((sign) => {
        const ones = divergences.filter((one) => one.sign === sign);
        return ones.length > 0 && <Section key={sign} {...props} divergences={ones} title={titles[sign]} />;
      })}
    </>
  );
}

/** Definitions that exist only in the target must be selected one by one: bulk selection should not switch anything off. */
const inPassing = (divergences: readonly Divergence[]): Divergence[] => divergences.filter(({ sign }) => sign !== "-");

function SelectShown({ divergences, chosen, onChoose }: ListProps) {
  const { can } = useWhere();
  const all = inPassing(divergences);
  if (!can("Editor") || all.length === 0) return null;
  return (
    <div className="border-b border-line px-4 py-2.5">
      <SelectAll all={all} chosen={chosen} onChoose={onChoose} label={`Select all shown (${formatted(all.length)})`} />
    </div>
  );
}

interface SelectAllProps extends Pick<ListProps, "chosen" | "onChoose"> {
  all: readonly Divergence[];
  label: string;
  isLabelHidden?: boolean;
}

function SelectAll({ all, chosen, onChoose, label, isLabelHidden }: SelectAllProps) {
  const count = all.filter((one) => chosen.has(nameOf(one))).length;
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

/** More rows at once would make the browser slow; the others are rendered on request. */
const AT_ONCE = 100;

function Section({ title, divergences, chosen, along, problemsOf, onChoose }: ListProps & { title: string }) {
  const { can } = useWhere();
  const [isWhole, setWhole] = useState(false);
  const shown = isWhole ? divergences : divergences.slice(0, AT_ONCE);
  return (
    <section aria-label={title}>
      <h2 className="flex items-baseline gap-2 border-b border-line bg-raised px-4 py-2 text-sm font-semibold">
        {title} <span className="text-xs font-normal text-quiet tabular-nums">{formatted(divergences.length)}</span>
      </h2>
      {byKind(shown).map(([kind, ones]) => {
        const whole = inPassing(divergences.filter((one) => one.kind === kind));
        return (
          <div key={kind}>
            <div className="flex items-start gap-2.5 border-b border-line px-4 py-2">
              {can("Editor") && whole.length > 0 && (
                <SelectAll
                  all={whole}
                  chosen={chosen}
                  onChoose={onChoose}
                  label={`Select ${plural(whole.length, "definition")} of ${kindTitle(kind)}, ${title.toLowerCase()}`}
                  isLabelHidden
                />
              )}
              <h3 className="text-[0.8125rem] font-medium text-quiet">{kindTitle(kind)}</h3>
            </div>
            <ul className="divide-y divide-line border-b border-line">
              {ones.map((one) => (
                <ChangeRow
                  key={nameOf(one)}
                  divergence={one}
                  isChosen={chosen.has(nameOf(one))}
                  neededBy={along.get(nameOf(one)) ?? []}
                  problems={problemsOf(one)}
                  onChoose={(isChosen) => onChoose([one], isChosen)}
                />
              ))}
            </ul>
          </div>
        );
      })}
      {shown.length < divergences.length && (
        <div className="border-b border-line px-4 py-2.5">
          <Button size="sm" onClick={() => setWhole(true)}>
            Show all {formatted(divergences.length)}
          </Button>
        </div>
      )}
    </section>
  );
}
