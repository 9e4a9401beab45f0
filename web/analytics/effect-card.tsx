import { dateOf, instantInWords, longDate } from "../../server/model/kernel/dates.ts";
import { keepPreviousData } from "@tanstack/react-query";
import { useState } from "react";
import { formatted, plural } from "../../server/model/kernel/thousands.ts";
import { orpc, useRead, useWhere } from "../client/service.tsx";
import { FigureTable } from "../components/figure-table.tsx";
import { Field } from "../components/inputs.tsx";
import { Combobox } from "../components/lazy-controls.tsx";
import { ReadFailed } from "../components/problems.tsx";
import { Card, Dimmed, Notice, Skeleton } from "../components/surface.tsx";
import { useCatalogue } from "../definitions/catalogue-query.ts";
import { costWords, type Effect, effectHeadline, type EffectRow, effectWords, percent } from "./effect-words.ts";
import type { ResultKind } from "./reports.ts";

const LABELS: Record<Exclude<EffectRow["measure"], "chosen">, string> = {
  activeDays: "Active days",
  events: "Events",
  points: "Points earned",
  purchases: "Purchases",
};

/** The effect of a definition, compared with players held out or with the days before. */
export function EffectCard({ kind, definitionKey }: { kind: ResultKind; definitionKey: string }) {
  const { timeZone } = useWhere();
  const { events } = useCatalogue();
  const [chosen, setChosen] = useState<string | null>(null);
  const query = useRead(orpc.analytics.effect, { kind, key: definitionKey, event: chosen }, { placeholderData: keepPreviousData });
  const { data: effect } = query;
  const failed = <ReadFailed title="The comparison could not be loaded" error={query.error} onRetry={query.refetch} />;
  if (effect === undefined) return query.isError ? failed : <Skeleton className="h-64" />;
  const nameOf = (key: string) => events.find((one) => one.key === key)?.name ?? key;
  const what = effect.event === null ? null : nameOf(effect.event);
  const cost = costWords(effect.cost, what);
  const isCompared = effect.days > 0 && effect.groups.inside + effect.groups.outside > 0;
  return (
    <Card title="Did it make a difference?" description={descriptionOf(effect, timeZone)}>
      <Dimmed isStale={query.isPlaceholderData} className="flex flex-col gap-4">
        {failed}
        <p role="status" className="text-lg font-semibold">
          {effectHeadline(effect, what)}
        </p>
        {effect.basis === "Before" && isCompared && (
          <Notice tone="warn">
            This is no proof: seasonal and other changes affect it too. Add a share to the audience, such as 90% of players, to compare with
            players held out.
          </Notice>
        )}
        {effect.groups.isMismatch && (
          <Notice tone="bad" title="The groups have the wrong sizes">
            {`${percent(effect.groups.share ?? 0).replace("+", "")} of players should be in, but ${formatted(effect.groups.inside)} of ${formatted(effect.groups.inside + effect.groups.outside)} are. Something else divides them, so the differences below can't be trusted.`}
          </Notice>
        )}
        {effect.eventsFrom !== null && (
          <div className="max-w-sm">
            <Field label="The event that matters">
              <Combobox
                value={effect.event}
                onValueChange={setChosen}
                options={events.map(({ key, name }) => ({ value: key, label: name, hint: key }))}
                placeholder="Choose an event"
              />
            </Field>
          </div>
        )}
        {isCompared && <Rows effect={effect} what={what} />}
        {cost !== null && <p className="text-[0.8125rem] text-quiet">{cost}</p>}
      </Dimmed>
    </Card>
  );
}

function descriptionOf({ basis, from, days, groups, isWhole, eventsFrom }: Effect, timeZone: string): string {
  const [start, length, players] = [longDate(dateOf(from, timeZone)), plural(days, "day"), plural(groups.inside, "player")];
  const sample = isWhole ? "" : " A random sample of players.";
  const events =
    eventsFrom === null
      ? " Events of that time are no longer kept, so they are not compared."
      : days > 0 && eventsFrom > from
        ? ` Events are compared from ${instantInWords(eventsFrom, timeZone)} on: earlier ones are no longer kept.`
        : "";
  if (basis === "Before") return `${players} in the ${length} from ${start}, compared with as many days before it began.${events}${sample}`;
  return `${players} in the share, whether they took part or not, compared with ${formatted(groups.outside)} held out. Since ${start}, ${length}.${events}${sample}`;
}

function Rows({ effect: { basis, rows }, what }: { effect: Effect; what: string | null }) {
  const mean = (value: number) => formatted(Math.round(value * 100) / 100);
  return (
    <FigureTable
      label="Comparison"
      headings={["Per player", ...(basis === "Share" ? ["In", "Held out"] : ["After", "Before"]), "Difference, 95% interval"]}
      rows={rows.map((row) => ({
        id: row.measure,
        name: row.measure === "chosen" ? what : LABELS[row.measure],
        cells: [
          mean(row.inside.mean),
          mean(row.outside.mean),
          <span className={row.verdict.kind === "clear" ? "font-medium" : "text-quiet"}>{effectWords(row)}</span>,
        ],
      }))}
    />
  );
}
