import { instantInWords } from "../../server/model/kernel/dates.ts";
import { useMutation } from "@tanstack/react-query";
import { FastForward } from "lucide-react";
import { useRouter } from "next/navigation";
import { useState } from "react";
import { EVERYTHING, orpc, useWhere } from "../client/service.tsx";
import { Button, LinkButton } from "../components/button.tsx";
import { ConfirmDialog, useAsked } from "../components/overlay.tsx";
import { Field, ScriptForm } from "../components/inputs.tsx";
import { InstantInput } from "../components/lazy-controls.tsx";
import { Badge, Card, Notice } from "../components/surface.tsx";
import { useToast } from "../components/toast.tsx";

const STEPS = [
  { by: "PT1H", label: "+1 hour" },
  { by: "P1D", label: "+1 day" },
  { by: "P1W", label: "+1 week" },
] as const;

/** The target: a step or an instant. */
type Move = { by: (typeof STEPS)[number]["by"] } | { to: string };

/** The Sandbox's clock and its controls; in Live an explanation of their absence. */
export function ClockCard() {
  const { environment, project } = useWhere();
  if (environment === "sandbox") return <MoveClock />;
  return (
    <Card
      title="Clock"
      description="Live always runs on real time. To see streaks break and leaderboards settle without waiting, move the clock of the Sandbox."
      actions={<LinkButton href={`/dashboard/${project}/sandbox/settings`}>Sandbox clock</LinkButton>}
    />
  );
}

/** "by 1 day", "to 29 Mar 2026, 09:30" */
const moveWords = (move: Move, timeZone: string): string =>
  "to" in move ? `to ${instantInWords(move.to, timeZone)}` : `by ${STEPS.find(({ by }) => by === move.by)!.label.slice(1)}`;

function MoveClock() {
  const { scope, now, timeZone, isClockMoved, can } = useWhere();
  const router = useRouter();
  const toast = useToast();
  const [to, setTo] = useState<string | null>(null);
  const { asked, ask: askFor, opened } = useAsked<Move>();
  const move = useMutation(
    orpc.work.moveClock.mutationOptions({
      onSuccess(moved) {
        toast({ title: `It is ${instantInWords(moved.now, timeZone)} in the Sandbox`, description: "Scheduled work has run." });
        setTo(null);
        router.refresh();
      },
      meta: { touches: [EVERYTHING] },
    }),
  );
  const mayMove = can("Editor");
  const ask = (wanted: Move) => {
    move.reset();
    askFor(wanted);
  };
  return (
    <Card
      title="Sandbox clock"
      description="Move time forward to see streaks break, missions repeat and leaderboards settle. Scheduled work runs on the way, in order."
    >
      <div className="flex flex-col gap-4">
        <p className="flex flex-wrap items-center gap-2">
          <span className="text-lg font-semibold tabular-nums" aria-label="Time in the Sandbox">
            {instantInWords(now, timeZone)}
          </span>
          <span className="text-quiet">{timeZone}</span>
          <Badge tone={isClockMoved ? "sandbox" : "neutral"}>{isClockMoved ? "Ahead of real time" : "Real time"}</Badge>
        </p>
        {mayMove ? (
          <>
            <div role="group" aria-label="Move the clock forward by" className="flex flex-wrap items-center gap-2">
              {STEPS.map(({ by, label }) => (
                <Button key={by} icon={<FastForward />} onClick={() => ask({ by })}>
                  {label}
                </Button>
              ))}
            </div>
            <ScriptForm
              onSubmit={() => {
                if (to !== null) ask({ to });
              }}
            >
              <Field label="To a date" hint={`In ${timeZone}; at most a year ahead.`}>
                <div className="flex flex-wrap gap-2">
                  <InstantInput value={to} onValueChange={setTo} className="w-56" />
                  <Button type="submit" isBlocked={to === null}>
                    Move clock
                  </Button>
                </div>
              </Field>
            </ScriptForm>
            {asked !== null && (
              <ConfirmDialog
                {...opened}
                title={`Move the Sandbox clock ${moveWords(asked, timeZone)}?`}
                confirmLabel="Move the clock"
                onConfirm={() => move.mutateAsync({ ...scope, ...asked })}
                failure={{ title: "The clock was not moved", error: move.error }}
              >
                <p>
                  This cannot be undone. Everything scheduled until then runs: missions end and repeat, streaks break, leaderboards settle
                  and grant their prizes, and webhooks are sent.
                </p>
              </ConfirmDialog>
            )}
            <Notice tone="warn">The clock can't be moved back. A reset empties the Sandbox but keeps its clock.</Notice>
          </>
        ) : (
          <Notice tone="neutral">Only Editors, Admins and Owners can move the clock.</Notice>
        )}
      </div>
    </Card>
  );
}
