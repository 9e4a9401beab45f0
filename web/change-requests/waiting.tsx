"use client";

import { instantInWords } from "#server/model/kernel/dates.ts";
import type { Kind } from "#server/model/definitions/contract.ts";
import { orpc, useRead, useWhere } from "../client/service.tsx";
import { SmallLink } from "../components/button.tsx";
import { Notice } from "../components/surface.tsx";

/** Links to the open and approved change requests of a definition in Live; hidden if there are none. */
export function WaitingRequests({ kind, definitionKey: key }: { kind: Kind; definitionKey: string }) {
  const { href, environment, approvals, timeZone } = useWhere();
  const { data } = useRead(
    orpc.changeRequests.list,
    { which: { kind, key } },
    { enabled: environment === "live" && approvals.waiting > 0 },
  );
  const [first, ...others] = data?.requests ?? [];
  if (first === undefined) return null;
  const isOne = others.length === 0;
  const waits = first.state === "Approved" ? "An approved change waits for its time" : "A change request waits";
  return (
    <Notice
      tone="warn"
      title={isOne ? `${waits}: ${first.title}` : `${others.length + 1} change requests wait for this`}
      action={<SmallLink href={href(isOne ? `/requests/${first.id}` : "/requests")}>{isOne ? "View request" : "View requests"}</SmallLink>}
    >
      {isOne
        ? `Requested by ${first.actor}${first.dueAt === null ? "" : `, applies ${instantInWords(first.dueAt, timeZone)}`}.`
        : "Once one of them is applied, compare the others with Live again."}
    </Notice>
  );
}
