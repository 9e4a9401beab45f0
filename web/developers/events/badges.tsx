import { Badge, type Tone } from "../../components/surface.tsx";
import type { Item, Request } from "./filters.ts";

/** The status of a response; a success with refused items has a warning tone. */
export function StatusBadge({ status, refused }: Pick<Request, "status" | "refused">) {
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
