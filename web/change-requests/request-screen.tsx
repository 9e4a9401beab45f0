"use client";

import { instantInWords } from "../../server/model/kernel/dates.ts";
import { type ReactNode, useState } from "react";
import { capitalised, plural } from "../../server/model/kernel/thousands.ts";
import { orpc, rpc, useAttempt, useRead, useWhere } from "../client/service.tsx";
import { Button } from "../components/button.tsx";
import { Field, ScriptForm, TextArea } from "../components/inputs.tsx";
import { Page } from "../components/page.tsx";
import { Loaded } from "../components/problems.tsx";
import { Card, DefinitionItem, Notice } from "../components/surface.tsx";
import { Instant } from "../components/time.tsx";
import { subjectTitle } from "../definitions/promote/names.ts";
import { RequestItems } from "./request-items.tsx";
import { RequestVerbs } from "./request-verbs.tsx";
import { didWords, isOverdue, type RequestSeen, RequestState } from "./request-words.tsx";

const EVERY_MS = 20_000;

export function RequestScreen({ id }: { id: string }) {
  const { href } = useWhere();
  const query = useRead(orpc.changeRequests.get, { id }, { refetchInterval: EVERY_MS });
  const { data: request } = query;
  if (request === undefined) {
    return (
      <Page title="Change request">
        <Loaded of={query} what="The request" className="h-64">
          {() => null}
        </Loaded>
      </Page>
    );
  }
  const isWaiting = request.closedAt === null;
  const conflicts = request.items.filter(({ changedSince }) => changedSince !== null).length;
  return (
    <Page
      title={request.title}
      breadcrumbs={[{ label: "Change requests", href: href("/requests") }]}
      aside={<RequestState request={request} />}
      actions={<RequestVerbs request={request} hasConflict={conflicts > 0} />}
    >
      <div className="grid items-start gap-4 lg:grid-cols-[minmax(0,1fr)_20rem]">
        <div className="flex min-w-0 flex-col gap-4">
          {request.failure !== null && isWaiting && (
            <Notice tone="bad" title="It could not be applied">
              {request.failure} It needs another approval.
            </Notice>
          )}
          {conflicts > 0 && (
            <Notice
              tone="warn"
              title={`Live has changed since: ${plural(conflicts, "definition")} no longer fit${conflicts === 1 ? "s" : ""}`}
            >
              Compare both sides below. Overwrite Live with the request, or edit it.
            </Notice>
          )}
          {request.problems.length > 0 && (
            <Notice tone="bad" title="Live would refuse this now">
              <ul className="flex flex-col gap-1">
                {request.problems.map(({ kind, key, message }, at) => (
                  <li key={at}>
                    {kind !== null && key !== null && `${capitalised(subjectTitle({ kind, key }))}: `}
                    {message}
                  </li>
                ))}
              </ul>
            </Notice>
          )}
          {request.isTurnOff ? (
            <Card title="Change">
              <p>Changes to Live no longer need an approval. Editors of Live save, promote and import directly.</p>
            </Card>
          ) : (
            <RequestItems request={request} />
          )}
          <Activity request={request} />
        </div>
        <Details request={request} />
      </div>
    </Page>
  );
}

function whenApplied(request: RequestSeen, timeZone: string): string {
  const { dueAt } = request;
  if (dueAt === null) return "As soon as it is approved";
  const at = instantInWords(dueAt, timeZone);
  return isOverdue(request) ? `As soon as it is approved (${at} has passed)` : at;
}

function Details({ request }: { request: RequestSeen }) {
  const { timeZone } = useWhere();
  const { reason, actor, token, editor, approver, revision, createdAt, isAlone, state } = request;
  const rows: [term: string, value: ReactNode][] = [
    ["Reason", reason === "" ? <span className="text-quiet">None given</span> : <span className="whitespace-pre-line">{reason}</span>],
    ["Requested by", `${actor}${token === null ? "" : ` by the token ${token}`}`],
    ["Requested", <Instant key="at" value={createdAt} />],
    ...(editor === actor ? [] : ([["Last edited by", editor]] as [string, ReactNode][])),
    ...(approver === null ? [] : ([[isAlone ? "Went ahead alone" : "Approved by", approver]] as [string, ReactNode][])),
    ["Applies", whenApplied(request, timeZone)],
    ["Revision", revision],
  ];
  const isOwnWaiting = request.isOwn && state === "Open";
  return (
    <Card title="Details" className="max-lg:order-first">
      <dl className="flex flex-col gap-3 text-[0.8125rem]">
        {rows.map(([term, value]) => (
          <DefinitionItem key={term} term={term}>
            {value}
          </DefinitionItem>
        ))}
      </dl>
      {isOwnWaiting && (
        <p className="mt-3 text-[0.8125rem] text-quiet">
          You made or edited this request, so another Owner, Admin or chosen Editor has to approve it.
        </p>
      )}
    </Card>
  );
}

function Activity({ request: { id, events, closedAt } }: { request: RequestSeen }) {
  const { scope, can } = useWhere();
  const attempt = useAttempt(orpc.changeRequests.key());
  const [text, setText] = useState("");
  const [isSending, setSending] = useState(false);
  const comment = async () => {
    if (text.trim() === "") return;
    setSending(true);
    await attempt("The comment was not added", () => rpc.changeRequests.comment({ ...scope, id, text })).then(
      // The next comment may have been begun meanwhile.
      () => setText((now) => (now === text ? "" : now)),
      () => {},
    );
    setSending(false);
  };
  return (
    <Card title="Activity" padded={false}>
      <ol aria-label="Activity" className="divide-y divide-line">
        {events.map((event) => (
          <li key={event.id} className="px-4 py-2.5 text-[0.8125rem]">
            <p className="flex flex-wrap gap-x-1.5">
              <span className="font-medium wrap-anywhere">{event.actor === "the service" ? "The service" : event.actor}</span>
              {event.token !== null && <span className="text-quiet">by the token {event.token}</span>}
              <span className="text-quiet">{didWords(event)}</span>
              <span className="text-faint">
                <Instant value={event.at} />
              </span>
            </p>
            {event.text !== null && <p className="mt-1 wrap-anywhere whitespace-pre-line">{event.text}</p>}
          </li>
        ))}
      </ol>
      {closedAt === null && can("Editor") && (
        <ScriptForm className="flex flex-col gap-2 border-t border-line p-4" onSubmit={() => void comment()}>
          <Field label="Comment">
            <TextArea value={text} onValueChange={setText} maxLength={2_000} rows={2} />
          </Field>
          <div className="flex justify-end">
            <Button type="submit" isPending={isSending} isBlocked={text.trim() === ""}>
              Comment
            </Button>
          </div>
        </ScriptForm>
      )}
    </Card>
  );
}
