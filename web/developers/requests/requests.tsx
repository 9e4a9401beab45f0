"use client";

import { Waypoints } from "lucide-react";
import { useState } from "react";
import { DEFAULT_REQUEST_DAYS } from "#server/model/kernel/kept-days.ts";
import { plural } from "#server/model/kernel/thousands.ts";
import { type Answers, orpc, rpc, useAttempt, useRead, useWhere } from "../../client/service.tsx";
import { useAddress } from "../../client/use-address.ts";
import { actionColumn, type Column, column, DataTable, instantColumn, numericColumn } from "../../components/table.tsx";
import { Filters } from "../../components/filters.tsx";
import { ListCard, useListed } from "../../components/list-card.tsx";
import { DevelopersPage } from "../developers-page.tsx";
import { EVENTS, type Request, REQUESTS, requestsInput } from "../events/filters.ts";
import { everyMs, LiveButton, Omitted } from "../events/live.tsx";
import { ErrorCode, ResponseBadge } from "../events/outcome.tsx";
import { RequestSheet } from "./request-sheet.tsx";
import { Switch } from "../../components/toggle.tsx";
import { ConfirmDialog } from "../../components/overlay.tsx";
import { Card } from "../../components/surface.tsx";
import { LinkButton } from "../../components/button.tsx";

export function Requests() {
  const { scope } = useWhere();
  const [filter, show] = useAddress(REQUESTS);
  const [isLive, setLive] = useState(true);
  const list = useListed((cursor) => orpc.requestLog.list.queryOptions({ input: requestsInput(scope, filter, cursor) }), everyMs(isLive));
  const { data: overview } = useRead(orpc.requestLog.overview, {}, { refetchInterval: isLive && 10_000 });
  const errors = overview?.errors ?? [];
  const endpoints = (overview?.routes ?? []).map(({ method, route }) => `${method} ${route}`);
  const codes = errors.filter(({ isOfItems }) => !isOfItems).map(({ code }) => code);
  const isFiltered = REQUESTS.isFiltered(filter);
  return (
    <DevelopersPage actions={<LiveButton isLive={isLive} onLiveChange={setLive} />}>
      <div className="flex flex-col gap-4">
        {overview !== undefined && <ErrorGroups errors={overview.errors} />}
        <ListCard
          isTitled
          label="Requests"
          description="Everything sent to the API with this environment's keys."
          filters={
            <Filters
              address={REQUESTS}
              filter={filter}
              onFilterChange={show}
              fields={{
                endpoint: { label: "Endpoint", all: "All endpoints", options: optionsOf(endpoints) },
                status: { label: "Status", all: "All statuses", options: STATUSES },
                code: { label: "Error code", all: "All codes", options: optionsOf(codes) },
                keyId: {
                  label: "API key",
                  all: "All keys",
                  options: (overview?.keys ?? []).map(({ id, name, hint }) => ({ value: id, label: `${name} (${hint})` })),
                },
              }}
            />
          }
          columns={COLUMNS}
          list={list}
          rows={list.data?.requests}
          rowKey={({ id }) => id}
          onOpen={({ id }) => show({ request: id })}
          empty={{
            icon: <Waypoints />,
            title: isFiltered ? "No matching requests" : "No requests yet",
            words: isFiltered ? "Clear the filters, or choose another time." : "Requests from your backend appear here automatically.",
          }}
        >
          {overview !== undefined && <Omitted of={overview.omitted} what="requests" />}
        </ListCard>
        {overview !== undefined && <KeptBodies keepsBodies={overview.keepsBodies} />}
      </div>
      <RequestSheet id={filter.request} onClose={() => show({ request: null })} />
    </DevelopersPage>
  );
}

const STATUSES = [
  { value: "success", label: "Succeeded" },
  { value: "refused", label: "With refused items" },
  { value: "4xx", label: "4xx: refused" },
  { value: "5xx", label: "5xx: server error" },
];

const optionsOf = (values: readonly string[]) => [...new Set(values)].map((value) => ({ value, label: value }));

const COLUMNS: Column<Request>[] = [
  column("Request", ({ method, route, path }) => `${method} ${route ?? path ?? "unknown path"}`),
  column("Status", ({ status, refused }) => <ResponseBadge status={status} refused={refused} />),
  column(
    "Result",
    (request) => <span className="font-mono text-xs wrap-anywhere text-quiet">{request.code ?? itemsInWords(request)}</span>,
    "max-sm:hidden",
  ),
  column("API key", ({ key }) => <span className="block truncate">{key.name}</span>, "max-lg:hidden"),
  numericColumn(
    "Duration",
    ({ durationMs }) => `${durationMs < 10 ? durationMs.toFixed(1) : Math.round(durationMs)} ms`,
    "whitespace-nowrap max-md:hidden",
  ),
  instantColumn("Time", ({ at }) => at),
];

/** "12 accepted, 3 refused". */
function itemsInWords({ accepted, refused }: Request): string {
  if (accepted === null || refused === null) return "–";
  return refused === 0 ? `${accepted} accepted` : `${accepted} accepted, ${refused} refused`;
}

/** Retention of requests, and whether their bodies are stored. */
function KeptBodies({ keepsBodies }: { keepsBodies: boolean }) {
  const { scope, can } = useWhere();
  const attempt = useAttempt(orpc.requestLog.key());
  const [isAsked, setAsked] = useState(false);
  const { data } = useRead(orpc.retention.read);
  const keep = (keeps: boolean) =>
    attempt(
      "The setting was not saved",
      () => rpc.requestLog.keepBodies({ ...scope, keeps }),
      keeps ? "Request bodies are kept from now on" : "Request bodies are no longer kept",
    );
  if (data === undefined) return null;
  return (
    <Card
      title="Retention"
      description={`Up to 100,000 requests are kept for ${plural(data.requestDays, "day")} (see Settings), and up to 10,000 events under Events for ${plural(Math.min(data.requestDays, DEFAULT_REQUEST_DAYS), "day")}. API keys are never logged.`}
    >
      <Switch
        label="Keep request bodies"
        hint="Bodies and query parameters, up to 16 KiB each. They may contain personal data, so they are off in Live unless you switch them on."
        checked={keepsBodies}
        disabled={!can("Admin")}
        onCheckedChange={(keeps) => (keeps ? void keep(true).catch(() => {}) : setAsked(true))}
      />
      <ConfirmDialog
        open={isAsked}
        onOpenChange={setAsked}
        title="Stop keeping request bodies?"
        confirmLabel="Stop and delete"
        isDanger
        onConfirm={() => keep(false)}
      >
        All bodies that are kept in this environment are deleted. This cannot be undone.
      </ConfirmDialog>
    </Card>
  );
}

type ErrorGroup = Answers["requestLog"]["overview"]["errors"][number];

function ErrorGroups({ errors }: { errors: ErrorGroup[] }) {
  const { href } = useWhere();
  const columns: Column<ErrorGroup>[] = [
    column("Error", ({ code, title }) => (
      <span className="block py-1">
        <span className="block font-medium">{title}</span>
        <ErrorCode code={code} />
      </span>
    )),
    column("What it means", ({ meaning }) => <span className="line-clamp-2 text-[0.8125rem] text-quiet">{meaning}</span>, "max-lg:hidden"),
    numericColumn("Count", ({ count, isOfItems }) => (
      <span className="whitespace-nowrap">{plural(count, isOfItems ? "event" : "request")}</span>
    )),
    instantColumn("Last seen", ({ lastAt }) => lastAt, { className: "max-md:hidden" }),
    actionColumn(
      "Example",
      ({ code, isOfItems, requestId }) => (
        <LinkButton
          size="sm"
          href={
            isOfItems
              ? href(`/developers/events${EVENTS.queryOf({ code, outcome: "Refused" })}`)
              : href(`/developers/requests${REQUESTS.queryOf({ code, request: requestId })}`)
          }
        >
          Show
        </LinkButton>
      ),
      "w-px whitespace-nowrap",
    ),
  ];
  return (
    <Card title="Errors in the last 24 hours" padded={false}>
      {/* Of one height, however many there are: another error must not move the requests below. */}
      <div className="h-32 overflow-y-auto" tabIndex={0} role="group" aria-label="Errors in the last 24 hours">
        <DataTable
          label="Errors by code"
          columns={columns}
          rows={errors}
          rowKey={({ code, isOfItems }) => `${code} ${isOfItems}`}
          empty={<p className="grid h-full place-items-center text-quiet">No errors</p>}
        />
      </div>
    </Card>
  );
}
