import { instantInWords } from "../../server/model/kernel/dates.ts";
import { keepPreviousData } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { figureInWords } from "../../server/model/alerts/figures.ts";
import { plural } from "../../server/model/kernel/thousands.ts";
import { orpc, useRead, useWhere } from "../client/service.tsx";
import { ReadFailed } from "../components/problems.tsx";
import { type AlertForm, ruleIn } from "./form.tsx";

const PAUSE_MS = 400;

/** How often the alert would have fired in the last 28 days, and when. */
export function Preview({ form }: { form: AlertForm }) {
  const { timeZone } = useWhere();
  const rule = JSON.stringify(ruleIn(form));
  const [asked, setAsked] = useState(rule);
  useEffect(() => {
    const timer = setTimeout(() => setAsked(rule), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [rule]);
  const input = JSON.parse(asked) as ReturnType<typeof ruleIn>;
  const { data, error, isLoading, isPlaceholderData, refetch } = useRead(orpc.alerts.preview, input, {
    // NaN is null in JSON: there is no number yet.
    enabled: typeof input.threshold === "number",
    placeholderData: keepPreviousData,
  });
  const isUsable = data !== undefined && data.problems.length === 0 && typeof input.threshold === "number";
  return (
    <section
      aria-label="Preview"
      aria-live="polite"
      className={`rounded-lg bg-sunken p-3 text-[0.8125rem] ${isPlaceholderData ? "opacity-60" : ""}`}
    >
      <ReadFailed title="The preview could not be loaded" error={error} onRetry={refetch} />
      {!isUsable && !error && (
        <p className="text-quiet">{isLoading ? "Checking…" : "Complete the alert to see when it would have triggered."}</p>
      )}
      {isUsable && data.since === null && <p className="text-quiet">Nothing was counted yet, so there is nothing to preview.</p>}
      {isUsable && data.since !== null && (
        <>
          <p className="font-medium">
            {data.count === 0
              ? "It would not have triggered in the last 28 days."
              : `It would have triggered ${plural(data.count, "time")} in the last 28 days.`}
          </p>
          {data.breaches.length > 0 && (
            <ul className="mt-2 flex flex-col gap-1 text-quiet">
              {data.breaches.map(({ from, until, value }) => (
                <li key={from}>
                  {instantInWords(from, timeZone)}: {figureInWords(form.figure, value)}
                  {until === null && " (ongoing)"}
                </li>
              ))}
              {data.count > data.breaches.length && <li>and {data.count - data.breaches.length} earlier</li>}
            </ul>
          )}
        </>
      )}
    </section>
  );
}
