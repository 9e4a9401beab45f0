"use client";

import { orpc, rpc, useAttempt, useRead, useWhere } from "../client/service.tsx";
import { EnvironmentBadge } from "../components/environment-badge.tsx";
import { Page } from "../components/page.tsx";
import { Approvals, ProjectSettings, Security } from "./project-settings.tsx";
import { ClockCard } from "./clock.tsx";
import { Currency, Discovery } from "./environment-settings.tsx";
import { plural } from "../../server/model/kernel/thousands.ts";
import { Button } from "../components/button.tsx";
import { ConfirmButton, ConfirmDialog, useAsked } from "../components/overlay.tsx";
import { Loaded } from "../components/problems.tsx";
import { Card } from "../components/surface.tsx";
import { EVENT_DAYS, REQUEST_DAYS, type RetentionChoice } from "../../server/model/kernel/kept-days.ts";
import { Field } from "../components/inputs.tsx";
import { Select } from "../components/lazy-controls.tsx";
import { Instant } from "../components/time.tsx";

export function SettingsPage() {
  const { environment } = useWhere();
  return (
    <Page
      title="Settings"
      aside={<EnvironmentBadge environment={environment} />}
      description="Name, language and time zone apply to both environments, everything else only to this one."
      width="narrow"
    >
      <div className="flex flex-col gap-4">
        <ProjectSettings />
        <Approvals />
        <Discovery />
        <Currency />
        <ClockCard />
        <Retention />
        <Security />
        <Reset />
        <ArchiveProject />
      </div>
    </Page>
  );
}

/** Empties the Sandbox; in Live an explanation of its absence. */
function Reset() {
  const { environment, scope, project, can } = useWhere();
  const attempt = useAttempt();
  if (environment === "live") return <Card title="Reset" description="Live can't be reset. Only a Sandbox can." />;
  if (!can("Admin")) return <Card title="Reset the Sandbox" description="Only Admins and Owners can reset the Sandbox." />;
  return (
    <Card
      title="Reset the Sandbox"
      description="Deletes players, events and everything that came from them. Keeps definitions, keys, endpoints and the clock."
      actions={
        <ConfirmButton
          trigger={<Button className="text-bad">Reset the Sandbox</Button>}
          title="Reset the Sandbox?"
          confirmLabel="Reset the Sandbox"
          isDanger
          typed={project}
          onConfirm={() =>
            attempt(
              "The Sandbox was not reset",
              () => rpc.work.reset({ ...scope, confirmation: project }),
              ({ players }) => ({ title: "Sandbox reset", description: `${plural(players, "player")} deleted.` }),
            )
          }
        >
          Deletes all players of this Sandbox with their points, missions, streaks, scores and purchases, and all pending deliveries. This
          cannot be undone.
        </ConfirmButton>
      }
    />
  );
}

/** Archives a project, for its Owners: it disappears from the dashboard, and its keys stop working. */
function ArchiveProject() {
  const { project, projectName, can } = useWhere();
  const attempt = useAttempt(orpc.projects.key());
  if (!can("Owner")) return null;
  const archive = async () => {
    await attempt("The project was not archived", () => rpc.projects.archive({ project, confirmation: project }));
    // Clears this browser's cache of the project too.
    location.assign("/dashboard");
  };
  return (
    <Card
      title="Archive project"
      description="Stops Sandbox and Live: their API keys answer 404 and the project leaves the dashboard. Nothing is deleted."
      actions={
        <ConfirmButton
          trigger={<Button className="text-bad">Archive project</Button>}
          title={`Archive ${projectName}?`}
          confirmLabel="Archive project"
          isDanger
          typed={project}
          onConfirm={archive}
        >
          API requests stop working immediately. This cannot be undone in the dashboard.
        </ConfirmButton>
      }
    />
  );
}

const EVENT_WORDS: Record<(typeof EVENT_DAYS)[number], string> = {
  30: "30 days",
  90: "90 days",
  180: "6 months",
  395: "13 months",
  760: "25 months",
};

const EVENT_OPTIONS = [
  { value: "ever", label: "Forever" },
  ...EVENT_DAYS.map((days) => ({ value: String(days), label: EVENT_WORDS[days] })),
];

const REQUEST_OPTIONS = REQUEST_DAYS.map((days) => ({ value: String(days), label: plural(days, "day") }));

/** Retention of events and requests. A shorter time deletes, so it needs confirmation. */
function Retention() {
  const { scope, can } = useWhere();
  const retention = useRead(orpc.retention.read);
  const attempt = useAttempt(orpc.retention.key());
  const { asked, ask, opened } = useAsked<Partial<RetentionChoice>>();
  // Only what was chosen is sent: the other time may have changed since it was read.
  const save = (changed: Partial<RetentionChoice>, mayDelete: boolean) =>
    attempt("The setting was not saved", () => rpc.retention.save({ ...scope, ...changed, mayDelete }), "Retention saved");
  const choose = (before: RetentionChoice, changed: Partial<RetentionChoice>) => {
    const after = { ...before, ...changed };
    const isShorter = (after.eventDays ?? Infinity) < (before.eventDays ?? Infinity) || after.requestDays < before.requestDays;
    if (isShorter) ask(changed);
    else void save(changed, false).catch(() => {});
  };
  return (
    <Card title="Data" description="Older events and requests are deleted. Points, missions, streaks, leaderboards and reports stay.">
      <Loaded of={retention} what="The settings" className="h-20">
        {(data) => (
          <div className="flex flex-col gap-4">
            <Field
              label="Keep events for"
              hint={
                data.purgedBefore === null ? (
                  "After this time since it was received, an event that is sent again counts again. New segments, new audiences and comparisons in Results read only events that are kept."
                ) : (
                  <>
                    Events received before <Instant value={data.purgedBefore} /> are deleted.
                  </>
                )
              }
            >
              <Select
                value={String(data.eventDays ?? "ever")}
                onValueChange={(value) => choose(data, { eventDays: EVENT_DAYS.find((days) => String(days) === value) ?? null })}
                options={EVENT_OPTIONS}
                disabled={!can("Admin")}
              />
            </Field>
            <Field label="Keep requests for" hint="The API request log, up to 100,000 requests.">
              <Select
                value={String(data.requestDays)}
                onValueChange={(value) => choose(data, { requestDays: REQUEST_DAYS.find((days) => String(days) === value)! })}
                options={REQUEST_OPTIONS}
                disabled={!can("Admin")}
              />
            </Field>
          </div>
        )}
      </Loaded>
      <ConfirmDialog {...opened} title="Delete older data?" confirmLabel="Save and delete" isDanger onConfirm={() => save(asked!, true)}>
        Events and requests older than the time you chose are deleted from this environment, now and from then on. This cannot be undone.
      </ConfirmDialog>
    </Card>
  );
}
