import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { formatted } from "#server/model/kernel/thousands.ts";
import { formatInstant } from "#server/model/kernel/time.ts";
import { MAX_COUNTED } from "#server/model/webhooks/outcome.ts";
import { orpc, rpc, useRead, useWhere } from "../../client/service.tsx";
import { Button } from "../../components/button.tsx";
import { Checkbox } from "../../components/toggle.tsx";
import { Field } from "../../components/inputs.tsx";
import { InstantInput } from "../../components/instant-input.tsx";
import { Dialog, type Opened } from "../../components/overlay.tsx";
import { problemOf } from "../../components/problems.tsx";
import { Select } from "../../components/select.tsx";
import { Notice } from "../../components/surface.tsx";
import { useToast } from "../../components/toast.tsx";
import { DAY } from "#server/model/kernel/instant.ts";

const ALL = "*";

interface ResendFailedProps extends Opened {
  endpoints: { id: string; url: string; isOn: boolean }[];
  /** The endpoint filter. */
  initialEndpoint: string | null;
}

/** Resends failed deliveries since an instant, after showing their number. */
export function ResendFailed({ open, onOpenChange, endpoints, initialEndpoint }: ResendFailedProps) {
  const { scope, timeZone } = useWhere();
  const toast = useToast();
  const queryClient = useQueryClient();
  const [since, setSince] = useState<string | null>(() => formatInstant(Math.floor((Date.now() - DAY) / 60_000) * 60_000));
  const [id, setId] = useState(initialEndpoint);
  const [isPending, setPending] = useState(false);
  const [isWaiting, setWaiting] = useState(true);
  const { data, error } = useRead(orpc.webhooks.countFailed, { id, since: since ?? "" }, { enabled: open && since !== null, staleTime: 0 });
  const counts = since === null ? undefined : data;
  const chosen = counts && counts.count + (isWaiting ? counts.waiting : 0);
  const resend = async () => {
    if (since === null || data === undefined) return;
    setPending(true);
    let sent = 0;
    try {
      // Each call works for some seconds. Repeating it with the same input continues where it stopped.
      for (let left = 1; left > 0;) {
        const done = await rpc.webhooks.resendFailed({ ...scope, id, since, until: data.until, isWaiting });
        sent += done.resent;
        left = done.resent === 0 ? 0 : done.left;
      }
      toast({ title: `Sending ${deliveries(sent)}` });
      onOpenChange(false);
    } catch (failed) {
      toast({
        title: sent === 0 ? "Nothing was sent" : `Only ${deliveries(sent)} sent`,
        description: problemOf(failed),
        tone: "bad",
      });
    } finally {
      setPending(false);
      await queryClient.invalidateQueries({ queryKey: orpc.webhooks.key() });
    }
  };
  return (
    <Dialog
      open={open}
      isPending={isPending}
      onOpenChange={onOpenChange}
      title="Resend failed deliveries"
      description="Completed missions and items to hand out, at endpoints that are on. Discarded deliveries and items of reversed purchases are left out. Other events are retried on schedule."
      footer={
        <>
          <Button onClick={() => onOpenChange(false)} isBlocked={isPending}>
            Cancel
          </Button>
          <Button variant="primary" isPending={isPending} disabled={!chosen} onClick={() => void resend()}>
            {chosen === undefined || chosen === 0
              ? "Resend"
              : counts?.count === 0
                ? `Send ${amount(chosen)} now`
                : `Resend ${amount(chosen)}`}
          </Button>
        </>
      }
    >
      <div className="flex flex-col gap-4">
        <Field label="Failed since" hint={`${timeZone} time`}>
          <InstantInput value={since} onValueChange={setSince} />
        </Field>
        <Field label="Endpoint">
          <Select
            value={id ?? ALL}
            onValueChange={(value) => setId(value === ALL ? null : value)}
            options={[
              { value: ALL, label: "All endpoints" },
              ...endpoints.map((endpoint) => ({ value: endpoint.id, label: endpoint.url, hint: endpoint.isOn ? undefined : "Off" })),
            ]}
          />
        </Field>
        <div role="status">
          {error ? (
            <Notice tone="bad">{problemOf(error)}</Notice>
          ) : counts === undefined ? (
            <p className="text-quiet">{since === null ? "Choose a time." : "Counting…"}</p>
          ) : (
            <p>{countInWords(counts)}</p>
          )}
        </div>
        {counts !== undefined && counts.waiting > 0 && (
          <Checkbox
            checked={isWaiting}
            onCheckedChange={setWaiting}
            label={`Send ${amount(counts.waiting)} waiting ${counts.waiting === 1 ? "one" : "ones"} now`}
            hint="Their last attempt failed, and the next one is scheduled. It is made now instead."
          />
        )}
      </div>
    </Dialog>
  );
}

/** A number of deliveries; counting stops at a limit. */
const amount = (count: number): string => (count < MAX_COUNTED ? formatted(count) : `${formatted(MAX_COUNTED)} or more`);

const deliveries = (count: number): string => `${amount(count)} ${count === 1 ? "delivery" : "deliveries"}`;

function countInWords({ count, waiting }: { count: number; waiting: number }): string {
  if (count > 0) return `${deliveries(count)} failed. ${count === 1 ? "It is sent immediately." : "They are sent oldest first."}`;
  return waiting === 0
    ? "No deliveries have failed since then."
    : `None was given up. ${deliveries(waiting)} wait${waiting === 1 ? "s" : ""} for the next attempt.`;
}
