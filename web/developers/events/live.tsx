"use client";

import { Pause, Play } from "lucide-react";
import { Button } from "../../components/button.tsx";

const LIVE_MS = 2_000;

/** The polling interval of a list: off while paused, and on later pages. */
export const everyMs = (isLive: boolean, page: number): number | false => (isLive && page === 1 ? LIVE_MS : false);

/** Whether new entries appear automatically. */
export function LiveButton({ isLive, onLiveChange }: { isLive: boolean; onLiveChange(isLive: boolean): void }) {
  return (
    <Button icon={isLive ? <Pause aria-hidden /> : <Play aria-hidden />} onClick={() => onLiveChange(!isLive)}>
      {isLive ? "Pause" : "Resume"}
    </Button>
  );
}
