import { instantInWords } from "../../server/model/kernel/dates.ts";
import { type Answers, useWhere } from "../client/service.tsx";
import { Badge, type Tone } from "../components/surface.tsx";
import { capitalised } from "#server/model/kernel/thousands.ts";
import { isKind, KIND_SCREENS } from "../definitions/kinds/index.ts";

type Listed = Answers["changeRequests"]["list"]["requests"][number];
export type RequestSeen = Answers["changeRequests"]["get"];
type RequestEvent = RequestSeen["events"][number];

const STATES: Record<Listed["state"], { tone: Tone; words: string }> = {
  Open: { tone: "warn", words: "Waiting for approval" },
  Approved: { tone: "info", words: "Approved" },
  Applied: { tone: "good", words: "Applied" },
  Rejected: { tone: "bad", words: "Rejected" },
  Withdrawn: { tone: "neutral", words: "Withdrawn" },
};

/** Whether its chosen time has passed while it waits: it applies with its approval. */
export const isOverdue = ({ state, dueAt }: Pick<Listed, "state" | "dueAt">): boolean =>
  state === "Open" && dueAt !== null && Date.parse(dueAt) <= Date.now();

/** The state of a request, and when it applies. */
export function RequestState({ request }: { request: Pick<Listed, "state" | "dueAt" | "failure" | "isAlone"> }) {
  const { state, dueAt, failure, isAlone } = request;
  const { timeZone } = useWhere();
  const { tone, words } = STATES[state];
  return (
    <span className="inline-flex flex-wrap items-center gap-1.5">
      <Badge tone={tone}>{words}</Badge>
      {failure !== null && <Badge tone="bad">Not applied</Badge>}
      {isAlone && state === "Applied" && <Badge tone="warn">Without a second person</Badge>}
      {dueAt !== null && (state === "Open" || state === "Approved") && (
        <span className="text-xs text-quiet">
          {isOverdue(request) ? "was due on" : "applies"} {instantInWords(dueAt, timeZone)}
        </span>
      )}
    </span>
  );
}

/** "Mission", from "missions/coffee_lover". */
export function kindOf(subject: string): string {
  const [kind = ""] = subject.split("/", 1);
  return isKind(kind) ? capitalised(KIND_SCREENS[kind].one) : "Settings";
}

const DID: Record<RequestEvent["action"], (event: RequestEvent) => string> = {
  Requested: () => "requested this change",
  Edited: ({ revision }) => `edited it: revision ${revision}`,
  Commented: () => "commented",
  Approved: ({ revision }) => `approved revision ${revision}`,
  WentAlone: () => "went ahead without a second person",
  Rejected: () => "rejected it",
  Withdrawn: () => "withdrew it",
  Failed: () => "could not apply it",
  Applied: () => "applied it to Live",
};

export const didWords = (event: RequestEvent): string => DID[event.action](event);
