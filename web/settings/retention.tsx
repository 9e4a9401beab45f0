"use client";

import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import type { RetentionChoice } from "../../server/operations/retention/contract.dashboard.ts";
import { EVENT_DAYS, REQUEST_DAYS } from "../../server/model/kernel/kept-days.ts";
import { useAttempt } from "../client/attempt.ts";
import { orpc, rpc } from "../client/rpc.ts";
import { useWhere } from "../client/where.tsx";
import { Field } from "../components/field.tsx";
import { ConfirmDialog } from "../components/overlay.tsx";
import { Select } from "../components/select.tsx";
import { Card, Skeleton } from "../components/surface.tsx";
import { Instant } from "../components/time.tsx";
import { useToast } from "../components/toast.tsx";

const EVENT_WORDS: Record<(typeof EVENT_DAYS)[number], string> = {
  30: "30 days",
  90: "90 days",
  180: "6 months",
  395: "13 months",
  760: "25 months",
};

const EVENT_OPTIONS = [
  { value: "ever", label: "For ever" },
  ...EVENT_DAYS.map((days) => ({ value: String(days), label: EVENT_WORDS[days] })),
];

const REQUEST_OPTIONS = REQUEST_DAYS.map((days) => ({ value: String(days), label: days === 1 ? "1 day" : `${days} days` }));

/** Retention of events and requests. A shorter time deletes, so it needs confirmation. */
export function Retention() {
  const { scope, can, timeZone } = useWhere();
  const { data } = useQuery(orpc.retention.read.queryOptions({ input: scope }));
  const attempt = useAttempt(orpc.retention.key());
  const toast = useToast();
  const [asked, setAsked] = useState<RetentionChoice | null>(null);
  const save = async ({ eventDays, requestDays }: RetentionChoice) => {
    await attempt("The setting was not saved", () => rpc.retention.save({ ...scope, eventDays, requestDays }));
    toast({ title: "Retention saved" });
  };
  const choose = (choice: RetentionChoice) => {
    const isShorter = (choice.eventDays ?? Infinity) < (data!.eventDays ?? Infinity) || choice.requestDays < data!.requestDays;
    if (isShorter) setAsked(choice);
    else void save(choice).catch(() => {});
  };
  return (
    <Card
      title="Data"
      description="Older events and requests are deleted. Points, missions, streaks, leaderboards and reports stay as they are."
    >
      {data === undefined ? (
        <Skeleton className="h-20" />
      ) : (
        <div className="flex flex-col gap-4">
          <Field
            label="Keep events for"
            hint={
              data.purgedBefore === null ? (
                "Counted from when an event is received. Sent again after that time, an event counts again. A new segment or audience reads only events that are kept."
              ) : (
                <>
                  Events received before <Instant value={data.purgedBefore} timeZone={timeZone} /> are deleted.
                </>
              )
            }
          >
            <Select
              value={String(data.eventDays ?? "ever")}
              onValueChange={(value) => choose({ ...data, eventDays: EVENT_DAYS.find((days) => String(days) === value) ?? null })}
              options={EVENT_OPTIONS}
              disabled={!can("Admin")}
            />
          </Field>
          <Field label="Keep requests for" hint="The API request log, up to 100,000 requests.">
            <Select
              value={String(data.requestDays)}
              onValueChange={(value) => choose({ ...data, requestDays: REQUEST_DAYS.find((days) => String(days) === value)! })}
              options={REQUEST_OPTIONS}
              disabled={!can("Admin")}
            />
          </Field>
        </div>
      )}
      <ConfirmDialog
        open={asked !== null}
        onOpenChange={(isOpen) => isOpen || setAsked(null)}
        title="Delete older data?"
        confirmLabel="Save and delete"
        isDanger
        onConfirm={() => save(asked!)}
      >
        Events and requests older than the time you chose are deleted from this environment, now and from then on. This cannot be undone.
      </ConfirmDialog>
    </Card>
  );
}
