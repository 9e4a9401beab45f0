"use client";

import { GitPullRequestArrow } from "lucide-react";
import { type Answers, orpc, useWhere } from "../client/service.tsx";
import { useAddress } from "../client/use-address.ts";
import { LinkButton } from "../components/button.tsx";
import { choices, Segmented } from "../components/choice.tsx";
import { ListCard, useListed } from "../components/list-card.tsx";
import { Page } from "../components/page.tsx";
import { column, type Column, instantColumn } from "../components/table.tsx";
import { REQUESTS, requestsInput } from "./requests-filter.ts";
import { kindOf, RequestState } from "./request-words.tsx";

type Listed = Answers["changeRequests"]["list"]["requests"][number];

const EVERY_MS = 30_000;

/** The change requests of Live, waiting or decided. */
export function RequestsScreen() {
  const { scope, href, approvals } = useWhere();
  const [filter, show] = useAddress(REQUESTS);
  const list = useListed(
    (cursor) => orpc.changeRequests.list.queryOptions({ input: requestsInput(scope, filter, cursor) }),
    (page) => page === 1 && EVERY_MS,
  );
  const isClosed = filter.state === "closed";
  const columns: Column<Listed>[] = [
    column("Request", ({ title, definitions, subjects }) => (
      <div className="min-w-0">
        <span className="block font-medium wrap-anywhere">{title}</span>
        <span className="block text-xs text-quiet">
          {definitions === 1 ? kindOf(subjects[0]!) : definitions === 0 ? "Project setting" : `${definitions} definitions`}
        </span>
      </div>
    )),
    column("State", (request) => <RequestState request={request} />),
    column("Requested by", ({ actor }) => <span className="wrap-anywhere">{actor}</span>, "max-md:hidden"),
    instantColumn("When", ({ createdAt }) => createdAt, { className: "max-sm:hidden", isQuiet: true }),
  ];
  return (
    <Page title="Change requests" description="Changes to Live that another person approves before players see them.">
      <ListCard
        label="Change requests"
        columns={columns}
        list={list}
        rows={list.data?.requests}
        rowKey={({ id }) => id}
        href={({ id }) => href(`/requests/${id}`)}
        filters={
          <div className="border-b border-line p-3">
            <Segmented
              label="State"
              value={isClosed ? "closed" : "open"}
              onValueChange={(next) => show({ state: next === "closed" ? "closed" : null })}
              options={choices({ open: "Waiting", closed: "Decided" })}
            />
          </div>
        }
        empty={{
          icon: <GitPullRequestArrow />,
          title: isClosed ? "No decided requests yet" : "Nothing is waiting for approval",
          words: approvals.isOn
            ? "Save, promote or import something in Live: it becomes a request that another person approves."
            : "This project does not ask for approvals. An Admin can turn them on in Settings.",
          action: approvals.isOn ? undefined : <LinkButton href={href("/settings")}>Open Settings</LinkButton>,
        }}
      />
    </Page>
  );
}
