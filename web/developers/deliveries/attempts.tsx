import { instantInWords } from "#server/model/kernel/dates.ts";
import { ChevronRight } from "lucide-react";
import { useState } from "react";
import { type Answers, orpc, useRead, useWhere } from "../../client/service.tsx";
import { Badge } from "../../components/surface.tsx";

import { formatted } from "#server/model/kernel/thousands.ts";
import { Excerpt } from "../../components/code.tsx";
import { Loaded } from "../../components/problems.tsx";

type Delivery = Answers["webhooks"]["delivery"];

/** Attempts of a delivery with their results; each expands to request and response. */
export function Attempts({ delivery }: { delivery: Delivery }) {
  const { timeZone } = useWhere();
  const { attemptsMade, nextAttemptAt } = delivery;
  return (
    <div>
      <h3 className="mb-1.5 text-sm font-semibold">Attempts</h3>
      <ol aria-label="Attempts" className="rounded-lg border border-line">
        {attemptsMade.map((attempt) => (
          <AttemptRow key={attempt.number} delivery={delivery} attempt={attempt} />
        ))}
        {nextAttemptAt !== null && (
          <li className="px-3 py-2 text-[0.8125rem] text-quiet">Next attempt: {instantInWords(nextAttemptAt, timeZone)}</li>
        )}
        {attemptsMade.length === 0 && nextAttemptAt === null && <li className="px-3 py-2 text-[0.8125rem] text-quiet">No attempts yet</li>}
      </ol>
    </div>
  );
}

function AttemptRow({ delivery, attempt }: { delivery: Delivery; attempt: Delivery["attemptsMade"][number] }) {
  const { timeZone } = useWhere();
  const [isOpen, setOpen] = useState(false);
  const { number, startedAt, durationMs, responseStatus, error, words, requestHeaders, hasAnswer } = attempt;
  return (
    <li className="flex flex-col gap-1 border-b border-line px-3 py-2 text-[0.8125rem] last:border-b-0">
      <span className="flex flex-wrap items-center gap-2">
        <Badge tone={responseStatus !== null && responseStatus >= 200 && responseStatus < 300 ? "good" : "bad"}>
          {responseStatus ?? "No response"}
        </Badge>
        <span className="text-quiet tabular-nums">
          {instantInWords(startedAt, timeZone)}, {durationMs} ms
        </span>
      </span>
      <span>{words}</span>
      {error && <code className="font-mono text-xs wrap-anywhere text-quiet">{error}</code>}
      <details onToggle={({ currentTarget }) => setOpen(currentTarget.open)} className="group">
        <summary className="relative inline-flex cursor-pointer items-center gap-1 rounded text-xs text-quiet hover:text-ink">
          <ChevronRight className="size-3.5 group-open:rotate-90" />
          Request and response
          <span className="sr-only">of attempt {number}</span>
        </summary>
        {isOpen && (
          <div className="mt-2 flex flex-col gap-3">
            <div>
              <h4 className="mb-1 text-xs font-medium">Request headers</h4>
              <Headers headers={requestHeaders} />
            </div>
            {hasAnswer ? (
              <Answer endpointId={delivery.endpointId} deliveryId={delivery.id} number={number} />
            ) : (
              <p className="text-xs text-quiet">
                {responseStatus === null ? "No response came." : "The response had no body, or is older than 30 days."}
              </p>
            )}
          </div>
        )}
      </details>
    </li>
  );
}

/** The stored beginning of a response, always shown as text: untrusted content is never rendered. */
function Answer({ endpointId, deliveryId, number }: { endpointId: string; deliveryId: string; number: number }) {
  const query = useRead(orpc.webhooks.answer, { id: endpointId, deliveryId, number }, { staleTime: Infinity });
  return (
    <Loaded of={query} what="The response" className="h-16">
      {({ answer }) => (answer === null ? <p className="text-xs text-quiet">Responses are kept for 30 days.</p> : <Response {...answer} />)}
    </Loaded>
  );
}

function Response({ headers, text, bytes, isCut, isUtf8 }: NonNullable<Answers["webhooks"]["answer"]["answer"]>) {
  return (
    <>
      {headers.length > 0 && (
        <div>
          <h4 className="mb-1 text-xs font-medium">Response headers</h4>
          <Headers headers={headers} />
        </div>
      )}
      <div>
        <h4 className="mb-1 text-xs font-medium">Response body</h4>
        {text === "" ? <p className="text-xs text-quiet">Empty</p> : <Excerpt label="Response body">{text}</Excerpt>}
        {(isCut || !isUtf8) && (
          <p className="mt-1 text-xs text-quiet">
            {isCut && `The first ${formatted(bytes)} bytes. `}
            {!isUtf8 && "Not UTF-8: other bytes are shown as \\x and their value."}
          </p>
        )}
      </div>
    </>
  );
}

const Headers = ({ headers }: { headers: { name: string; value: string }[] }) => (
  <dl className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-3 gap-y-0.5 font-mono text-xs">
    {headers.map(({ name, value }) => (
      <div key={name} className="contents">
        <dt className="text-quiet">{name}</dt>
        <dd className="wrap-anywhere">{value}</dd>
      </div>
    ))}
  </dl>
);
