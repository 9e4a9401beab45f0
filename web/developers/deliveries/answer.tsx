"use client";

import { useQuery } from "@tanstack/react-query";
import { formatted } from "#server/model/kernel/thousands.ts";
import { orpc } from "../../client/rpc.ts";
import { useWhere } from "../../client/where.tsx";
import { problemOf } from "../../components/problems.tsx";
import { Notice, Skeleton } from "../../components/surface.tsx";

/** The stored beginning of a response, always shown as text: untrusted content is never rendered. */
export function Answer({ endpointId, deliveryId, number }: { endpointId: string; deliveryId: string; number: number }) {
  const { scope } = useWhere();
  const input = { ...scope, id: endpointId, deliveryId, number };
  const { data, error } = useQuery({ ...orpc.webhooks.answer.queryOptions({ input }), staleTime: Infinity });
  if (error) return <Notice tone="bad">{problemOf(error)}</Notice>;
  if (data === undefined) return <Skeleton className="h-16" />;
  if (data.answer === null) return <p className="text-xs text-quiet">Responses are kept for 30 days.</p>;
  const { headers, text, bytes, isCut, isUtf8 } = data.answer;
  return (
    <>
      {headers.length > 0 && (
        <div>
          <h4 className="mb-1 text-xs font-medium">Response headers</h4>
          <Headers headers={headers} />
        </div>
      )}
      <div>
        <h4 className="mb-1 text-xs font-medium">Response body</h4>
        {text === "" ? (
          <p className="text-xs text-quiet">Empty</p>
        ) : (
          <pre
            tabIndex={0}
            role="region"
            aria-label="Response body"
            className="max-h-72 overflow-auto rounded-lg border border-line bg-raised p-3 font-mono text-xs whitespace-pre-wrap wrap-anywhere"
          >
            {text}
          </pre>
        )}
        {(isCut || !isUtf8) && (
          <p className="mt-1 text-xs text-quiet">
            {isCut && `The first ${formatted(bytes)} bytes. `}
            {!isUtf8 && "Not UTF-8: other bytes are shown as \\x and their value."}
          </p>
        )}
      </div>
    </>
  );
}

export const Headers = ({ headers }: { headers: { name: string; value: string }[] }) => (
  <dl className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-3 gap-y-0.5 font-mono text-xs">
    {headers.map(({ name, value }) => (
      <div key={name} className="contents">
        <dt className="text-quiet">{name}</dt>
        <dd className="wrap-anywhere">{value}</dd>
      </div>
    ))}
  </dl>
);
