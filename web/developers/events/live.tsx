import { Pause, Play } from "lucide-react";
import { formatted } from "#server/model/kernel/thousands.ts";
import type { Answers } from "../../client/service.tsx";
import { Button } from "../../components/button.tsx";
import { Notice } from "../../components/surface.tsx";

const LIVE_MS = 2_000;

/** The polling interval of a list, by its page: off while paused, and on later pages. */
export const everyMs =
  (isLive: boolean) =>
  (page: number): number | false =>
    isLive && page === 1 && LIVE_MS;

/** Whether new entries appear automatically. */
export const LiveButton = ({ isLive, onLiveChange }: { isLive: boolean; onLiveChange(isLive: boolean): void }) => (
  <Button icon={isLive ? <Pause /> : <Play />} onClick={() => onLiveChange(!isLive)}>
    {isLive ? "Pause" : "Resume"}
  </Button>
);

type OmittedCounts = Answers["requestLog"]["overview"]["omitted"];

/** Notes which entries the list leaves out, if any. Below it: the note must not move rows that are about to be pressed. */
export function Omitted({ of, what }: { of: OmittedCounts; what: "requests" | "items" }) {
  const [good, bad] = what === "requests" ? [of.successes, of.errors] : [of.acceptedItems, of.refusedItems];
  if (good + bad === 0) return null;
  const counts = [...(good > 0 ? [`${formatted(good)} accepted`] : []), ...(bad > 0 ? [`${formatted(bad)} refused`] : [])];
  return (
    <div className="border-t border-line p-3">
      <Notice tone="neutral" title="Sampled">
        {counts.join(" and ")} {what} of the last 24 hours are not listed: at high rates only the first ones of each second are kept.
      </Notice>
    </div>
  );
}
