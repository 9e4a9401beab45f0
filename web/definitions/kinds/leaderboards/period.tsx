"use client";

import { type Calendar, CALENDAR_PERIODS, everyInWords } from "#server/model/kernel/calendar.ts";
import type { ScorePeriodDraft } from "#server/model/rules/schedule.ts";
import { Segmented } from "#web/components/choice.tsx";
import { SpanField } from "../../fields/span-field.tsx";
import { useAuthoring, useMember } from "../../form/authoring.tsx";
import { Place } from "../../form/place.tsx";

type Choice = "AllTime" | "Season" | Calendar;

/** The period of a board. */
export function PeriodFields() {
  const { fixedAt, draft } = useAuthoring();
  const [period, setPeriod] = useMember<ScorePeriodDraft>("period");
  const chosen: Choice = period.kind === "Calendar" ? period.every : period.kind;
  const hasLeague = draft.league !== null && draft.league !== undefined;
  // A season only allows changing its ends.
  const at = fixedAt(["period"]) === null && fixedAt(["period", "kind"]) !== null ? ["period", "kind"] : ["period"];
  return (
    <>
      <Place at={at} label="Period" isDeep={period.kind !== "Season"} hint={hasLeague ? "A league needs a repeating period." : undefined}>
        <Segmented
          label="Period"
          value={chosen}
          onValueChange={(next) => next !== chosen && setPeriod(periodOf(next))}
          options={[
            ...CALENDAR_PERIODS.map((every) => ({ value: every, label: everyInWords(every) })),
            { value: "Season", label: "Season", disabled: hasLeague },
            { value: "AllTime", label: "All time", disabled: hasLeague },
          ]}
        />
      </Place>
      {period.kind === "Season" && (
        <SpanField
          at={["period"]}
          value={{ startsAt: period.startsAt, endsAt: period.endsAt }}
          onValueChange={(span) => setPeriod({ kind: "Season", ...span })}
          labels={{ startsAt: "The season starts", endsAt: "The season ends" }}
          open={null}
        />
      )}
    </>
  );
}

function periodOf(choice: Choice): ScorePeriodDraft {
  if (choice === "AllTime") return { kind: "AllTime" };
  if (choice === "Season") return { kind: "Season", startsAt: null, endsAt: null };
  return { kind: "Calendar", every: choice };
}
