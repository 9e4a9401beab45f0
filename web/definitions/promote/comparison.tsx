"use client";

import { useQuery } from "@tanstack/react-query";
import { GitCompareArrows } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import { plural } from "#server/model/kernel/thousands.ts";
import { orpc } from "../../client/rpc.ts";
import { useWhere } from "../../client/where.tsx";
import { LinkButton } from "../../components/button.tsx";
import { otherOf } from "../../components/environment-badge.tsx";
import { ReadFailed } from "../../components/problems.tsx";
import { Card, EmptyState, Notice, Skeleton } from "../../components/surface.tsx";
import { Choice } from "./choice.tsx";
import { directionFrom } from "./direction.ts";

/** The selectable differences to the other environment. */
export function Comparison({ chosenBefore }: { chosenBefore: string | null }) {
  const { scope, environment, can } = useWhere();
  const direction = directionFrom(environment);
  const [done, setDone] = useState<number | null>(null);
  const found = useQuery(orpc.definitions.difference.queryOptions({ input: scope }));
  if (found.isError) return <ReadFailed title="Differences could not be loaded" error={found.error} onRetry={found.refetch} />;
  if (found.data === undefined) return <Skeleton className="h-64" />;
  const { divergences, areNeedsCut, same, versions } = found.data;
  return (
    <div className="flex flex-col gap-4">
      {done !== null && <Done count={done} />}
      {!can("Editor") && (
        <Notice tone="neutral" title="You can view, but not promote">
          Promoting needs the role Editor. Ask an Admin or Owner of the project.
        </Notice>
      )}
      {areNeedsCut && (
        <Notice tone="neutral" title="Not everything that comes along is listed">
          These definitions name each other very often. What you select is promoted with all that it needs.
        </Notice>
      )}
      {divergences.length === 0 ? (
        <Card>
          <EmptyState icon={<GitCompareArrows aria-hidden />} title="Sandbox and Live are identical">
            What you create or change in {direction.from} is listed here until {direction.to} has it too.
          </EmptyState>
        </Card>
      ) : (
        <Choice
          key={JSON.stringify(versions)}
          divergences={divergences}
          same={same}
          versions={versions}
          chosenBefore={done === null ? chosenBefore : null}
          onDone={setDone}
        />
      )}
    </div>
  );
}

/** Shown in the page: a toast would cover the next action. */
function Done({ count }: { count: number }) {
  const { project, environment } = useWhere();
  const { to, done } = directionFrom(environment);
  const notice = useRef<HTMLDivElement>(null);
  useEffect(() => {
    notice.current?.focus();
    notice.current?.scrollIntoView({ block: "nearest" });
  }, [count]);
  return (
    <Notice
      ref={notice}
      tabIndex={-1}
      role="status"
      tone="good"
      title={`${plural(count, "definition")} ${done} to ${to}`}
      action={
        <LinkButton size="sm" href={`/dashboard/${project}/audit-log?environment=${otherOf(environment)}`}>
          Audit log
        </LinkButton>
      }
    />
  );
}
