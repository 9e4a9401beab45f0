"use client";

import { Gavel } from "lucide-react";
import dynamic from "next/dynamic";
import { useState } from "react";
import type { PeriodSeen } from "../../server/game/leaderboards/contract.dashboard.ts";
import { plural } from "../../server/model/kernel/thousands.ts";
import { ExportMenu } from "../client/export-menu.tsx";
import { useWhere } from "../client/where.tsx";
import { Button } from "../components/button.tsx";
import { exactly } from "../components/exactly.ts";
import { Badge, Definition, type Tone } from "../components/surface.tsx";
import { refusalWords } from "./words.ts";

const SettleDialog = dynamic(() => import("./settle-dialog.tsx").then((loaded) => loaded.SettleDialog), { ssr: false });

const TONES: Record<PeriodSeen["state"], Tone> = {
  Upcoming: "neutral",
  Current: "good",
  Ended: "warn",
  Settling: "info",
  Settled: "neutral",
};

/** A period's start, end and settling, and the number ranked; Editors can settle it now in the Sandbox. */
export function PeriodHeader({ boardKey, period, isTeams }: { boardKey: string; period: PeriodSeen; isTeams: boolean }) {
  const { timeZone, can, environment } = useWhere();
  const [isAsking, setAsking] = useState(false);
  const { startsAt, endsAt, settlesAt, settledAt, state, participants, settleRefusal } = period;
  const why = refusalWords(settleRefusal, settlesAt === null ? null : exactly(settlesAt, timeZone));
  return (
    <div className="flex flex-wrap items-start gap-x-6 gap-y-3 border-b border-line p-4">
      <dl className="grid min-w-0 flex-1 basis-80 grid-cols-2 gap-x-6 gap-y-3 text-[0.8125rem] sm:grid-cols-4">
        <Definition term="Period">
          <Badge tone={TONES[state]}>{state}</Badge>
        </Definition>
        <Definition term="Dates">
          {startsAt === null ? "From the beginning" : exactly(startsAt, timeZone)} –{" "}
          {endsAt === null ? "no end" : exactly(endsAt, timeZone)}
        </Definition>
        <Definition term={settledAt === null ? "Settles" : "Settled"}>
          {settledAt !== null ? exactly(settledAt, timeZone) : settlesAt === null ? "Never" : exactly(settlesAt, timeZone)}
        </Definition>
        <Definition term="Ranked">{plural(participants, isTeams ? "team" : "player")}</Definition>
      </dl>
      <ExportMenu lists={[{ list: "standings", filters: { leaderboard: boardKey, start: period.start } }]} />
      {settleRefusal === null && can("Editor") && (
        <Button icon={<Gavel aria-hidden />} onClick={() => setAsking(true)}>
          Settle now
        </Button>
      )}
      {why !== null && (environment === "sandbox" || settleRefusal === "Live") && <p className="w-full text-xs text-quiet">{why}</p>}
      {settleRefusal === null && <SettleDialog boardKey={boardKey} period={period} open={isAsking} onOpenChange={setAsking} />}
    </div>
  );
}
