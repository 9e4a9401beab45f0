"use client";

import { BellRing, Ellipsis, Pencil, Plus, Power, Trash2 } from "lucide-react";
import { useState } from "react";
import { figureInWords } from "../../server/model/alerts/figures.ts";
import { boundInWords, labelOf, windowInWords } from "../../server/model/alerts/words.ts";
import { orpc, rpc, useAttempt, useRead, useWhere } from "../client/service.tsx";
import { Button, IconButton, TextLink } from "../components/button.tsx";
import { EnvironmentBadge } from "../components/environment-badge.tsx";
import { ConfirmDialog, dialogOnceOpen, Menu } from "../components/overlay.tsx";
import { Page } from "../components/page.tsx";
import { Loaded } from "../components/problems.tsx";
import { Badge, Card, EmptyState, Notice } from "../components/surface.tsx";
import { Instant } from "../components/time.tsx";
import { BudgetsCard } from "./budgets.tsx";
import type { Alert } from "./form.tsx";

const AlertDialog = dialogOnceOpen(() => import("./alert-dialog.tsx").then((loaded) => loaded.AlertDialog));

const REFRESH_MS = 30_000;

export function AlertsPage() {
  const { environment, project, can, canInBoth } = useWhere();
  const list = useRead(orpc.alerts.list, {}, { refetchInterval: REFRESH_MS });
  const [isNew, setNew] = useState(false);
  const add = can("Editor") && (
    <Button icon={<Plus />} opens={AlertDialog} onClick={() => setNew(true)}>
      Add alert
    </Button>
  );
  return (
    <Page
      title="Alerts and budgets"
      aside={<EnvironmentBadge environment={environment} />}
      description={
        <>
          Notifications by <TextLink href="/dashboard/account">email</TextLink>
          {canInBoth("Admin") && (
            <>
              {" "}
              and in <TextLink href={`/dashboard/${project}/settings/channels`}>channels</TextLink>
            </>
          )}{" "}
          when a figure leaves its range or a budget is nearly used.
        </>
      }
      width="narrow"
    >
      {!can("Editor") && (
        <Notice tone="neutral" className="mb-4">
          View only. You need the Editor role to make changes.
        </Notice>
      )}
      <Card
        title="Alerts"
        description="Figures of the reports, checked every three minutes. You are notified when a breach begins and when it ends."
        actions={list.data?.alerts.length !== 0 && add}
        padded={false}
      >
        <Loaded of={list} what="The alerts" isInset className="h-20">
          {({ alerts }) =>
            alerts.length === 0 ? (
              <EmptyState isCompact icon={<BellRing />} title="No alerts yet" action={add}>
                An alert notifies your team when points, completions, purchases, events or webhooks leave the range you set.
              </EmptyState>
            ) : (
              <ul aria-label="Alerts">
                {alerts.map((alert) => (
                  <AlertRow key={alert.id} alert={alert} />
                ))}
              </ul>
            )
          }
        </Loaded>
      </Card>
      <BudgetsCard />
      {isNew && <AlertDialog onClose={() => setNew(false)} />}
    </Page>
  );
}

function AlertRow({ alert }: { alert: Alert }) {
  const { scope, can } = useWhere();
  const attempt = useAttempt(orpc.alerts.key());
  const [asked, setAsked] = useState<"edit" | "delete" | null>(null);
  const { id, name, figure, subject, isOn, breachedAt, value, checkedAt } = alert;
  const one = { ...scope, id };
  const switchTo = (to: boolean) =>
    attempt("The change failed", () => rpc.alerts.switch({ ...one, isOn: to }), to ? "Alert switched on" : "Alert switched off").catch(
      () => {},
    );
  const of = subject === null ? "" : ` · ${subject.name ?? "a deleted definition"}`;
  return (
    <li className="flex items-start gap-3 border-b border-line px-4 py-3 last:border-b-0">
      <div className="min-w-0 flex-1">
        <div className="flex flex-wrap items-center gap-2">
          <span className="font-medium wrap-anywhere">{name}</span>
          {!isOn && <Badge>Off</Badge>}
          {isOn && breachedAt !== null && <Badge tone="bad">Breach</Badge>}
          {isOn && breachedAt === null && checkedAt !== null && <Badge tone="good">OK</Badge>}
        </div>
        <p className="text-[0.8125rem] text-quiet wrap-anywhere">
          {labelOf(figure)}
          {of} · {boundInWords(alert)} {windowInWords(alert)}
        </p>
        {isOn && (
          <p className="text-xs text-quiet">
            {checkedAt === null ? (
              "Not checked yet."
            ) : (
              <>
                {value === null ? "Not enough data to check." : `${figureInWords(figure, value)} at the last check, `}
                {value !== null && <Instant value={checkedAt} />}
                {breachedAt !== null && (
                  <>
                    {" · breach since "}
                    <Instant value={breachedAt} />
                  </>
                )}
              </>
            )}
          </p>
        )}
      </div>
      {can("Editor") && (
        <Menu
          trigger={<IconButton size="sm" label={`Actions for ${name}`} icon={<Ellipsis />} />}
          items={[
            { label: "Edit", icon: <Pencil />, onSelect: () => setAsked("edit") },
            { label: isOn ? "Switch off" : "Switch on", icon: <Power />, onSelect: () => void switchTo(!isOn) },
            { label: "Delete", icon: <Trash2 />, isDanger: true, isApart: true, onSelect: () => setAsked("delete") },
          ]}
        />
      )}
      {asked === "edit" && <AlertDialog alert={alert} onClose={() => setAsked(null)} />}
      <ConfirmDialog
        open={asked === "delete"}
        onOpenChange={(open) => setAsked(open ? "delete" : null)}
        title={`Delete ${name}?`}
        confirmLabel="Delete alert"
        isDanger
        onConfirm={() => attempt("The alert was not deleted", () => rpc.alerts.delete(one), "Alert deleted")}
      >
        The figure is no longer watched. This cannot be undone.
      </ConfirmDialog>
    </li>
  );
}
