"use client";

import { Pause, Play } from "lucide-react";
import { Button } from "../../components/button.tsx";

const LIVE_MS = 2_000;

/** How often a list is read again: not while it is paused, and not while a later page of it is read. */
export const everyMs = (isLive: boolean, page: number): number | false => (isLive && page === 1 ? LIVE_MS : false);

/** Whether new entries appear by themselves. */
export function LiveButton({ isLive, onLiveChange }: { isLive: boolean; onLiveChange(isLive: boolean): void }) {
  return (
    <Button icon={isLive ? <Pause aria-hidden /> : <Play aria-hidden />} onClick={() => onLiveChange(!isLive)}>
      {isLive ? "Pause" : "Resume"}
    </Button>
  );
}
