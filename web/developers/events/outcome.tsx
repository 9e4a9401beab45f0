import { CopyButton } from "../../components/code.tsx";
import { Badge, DefinitionItem, type Tone } from "../../components/surface.tsx";
import type { Item, Request } from "./filters.ts";

/** The status of a response; a success with refused items has a warning tone. */
export function ResponseBadge({ status, refused }: Pick<Request, "status" | "refused">) {
  const tone: Tone = status >= 500 ? "bad" : status >= 400 || (refused ?? 0) > 0 ? "warn" : "good";
  return <Badge tone={tone}>{status}</Badge>;
}

const STATES: Record<Item["state"], { tone: Tone; label: string }> = {
  Accepted: { tone: "good", label: "Accepted" },
  Refused: { tone: "warn", label: "Refused" },
  Waiting: { tone: "info", label: "Queued" },
  Quarantined: { tone: "bad", label: "Quarantined" },
};

export const ItemBadge = ({ state }: Pick<Item, "state">) => <Badge tone={STATES[state].tone}>{STATES[state].label}</Badge>;

/** The key that something was sent with, and the trace to find it by. */
export const Origin = ({ apiKey: { name, hint }, traceId }: { apiKey: Item["key"]; traceId: string }) => (
  <>
    <DefinitionItem term="API key">
      {name} <code className="font-mono text-xs text-quiet">{hint}</code>
    </DefinitionItem>
    <DefinitionItem term="Trace ID">
      <span className="flex items-center gap-1">
        <code className="min-w-0 font-mono text-xs wrap-anywhere">{traceId}</code>
        <CopyButton text={traceId} label="Copy trace ID" />
      </span>
    </DefinitionItem>
  </>
);

/** The problems of a request or an item, each linked to the reference. */
export const ItemProblems = ({ problems }: { problems: Item["errors"] }) => (
  <ul aria-label="Problems" className="rounded-lg border border-line">
    {problems.map(({ code, message, at }, index) => (
      <li key={index} className="flex flex-col gap-0.5 border-b border-line px-3 py-2 text-[0.8125rem] last:border-b-0">
        <span className="wrap-anywhere">{message}</span>
        <span className="flex flex-wrap gap-x-3 text-xs text-quiet">
          <ErrorCode code={code} />
          {at !== "" && <code className="font-mono wrap-anywhere">{at}</code>}
        </span>
      </li>
    ))}
  </ul>
);

export const ErrorCode = ({ code }: { code: string }) => (
  <a href={`/docs/errors#${code}`} className="rounded font-mono text-xs text-accent wrap-anywhere hover:underline">
    {code}
  </a>
);
