"use client";

import { useQuery } from "@tanstack/react-query";
import { ChevronRight } from "lucide-react";
import { type ReactNode, useId, useState } from "react";
import { plural } from "#server/model/kernel/thousands.ts";
import { TextLink } from "../../components/button.tsx";
import { Differences } from "../history/differences.tsx";
import { definitionPath } from "../kinds/index.ts";
import { orpc } from "../../client/rpc.ts";
import { useWhere } from "../../client/where.tsx";
import { cx } from "../../components/classes.ts";
import { ENVIRONMENT_NAMES, otherOf } from "../../components/environment-badge.tsx";
import { ReadFailed } from "../../components/problems.tsx";
import { Skeleton } from "../../components/surface.tsx";
import type { Divergence } from "./chosen.ts";
import { subjectTitle } from "./names.ts";

/** A definition's name, linked in the environment that has it. */
export function ChangeTitle({ divergence: { kind, key, name, sign }, children }: { divergence: Divergence; children?: ReactNode }) {
  const { project, environment } = useWhere();
  const place = `/dashboard/${project}/${sign === "-" ? otherOf(environment) : environment}`;
  const href = kind === "settings" ? `${place}/settings` : place + definitionPath(kind, key);
  return (
    <div className="flex flex-wrap items-center gap-x-2 gap-y-1">
      <TextLink href={href} className="min-w-0 py-0.5 text-sm">
        {name}
      </TextLink>
      {name !== key && kind !== "settings" && <code className="font-mono text-xs text-quiet wrap-anywhere">{key}</code>}
      {children}
    </div>
  );
}

/** The difference. Short changes are expanded; new definitions are collapsed. */
export function ChangeDetail({ divergence, isOpen: isOpenAtFirst }: { divergence: Divergence; isOpen?: boolean }) {
  const { environment } = useWhere();
  const { sign, fields, isLong } = divergence;
  const [isOpen, setOpen] = useState(isOpenAtFirst ?? (sign === "~" && fields <= SHORT && !isLong));
  const id = useId();
  if (sign === "-") {
    return <p className="text-[0.8125rem] text-quiet">Would be switched off in {ENVIRONMENT_NAMES[otherOf(environment)]}</p>;
  }
  return (
    <>
      <button
        type="button"
        aria-expanded={isOpen}
        aria-controls={id}
        onClick={() => setOpen(!isOpen)}
        className="-ml-1 flex h-6 items-center gap-1 rounded px-1 text-[0.8125rem] text-quiet hover:bg-sunken hover:text-ink"
      >
        <ChevronRight className={cx("size-3.5 transition-transform", isOpen && "rotate-90")} aria-hidden />
        {sign === "+" ? plural(fields, "field") : `${plural(fields, "field")} changed`}
        <span className="sr-only"> of {subjectTitle(divergence)}</span>
      </button>
      <div id={id} hidden={!isOpen} className="mt-1 rounded-lg border border-line bg-paper px-3 py-1">
        {isOpen && (isLong ? <LongDetail divergence={divergence} /> : <Differences of={divergence} isNew={sign === "+"} />)}
      </div>
    </>
  );
}

const SHORT = 4;

/** A difference too long for the list response. */
function LongDetail({ divergence: { kind, key, sign } }: { divergence: Divergence }) {
  const { scope } = useWhere();
  const { data, error, refetch } = useQuery(orpc.definitions.divergence.queryOptions({ input: { ...scope, kind, key } }));
  if (error) return <ReadFailed title="The difference could not be loaded" error={error} onRetry={refetch} />;
  return data === undefined ? <Skeleton className="h-16" /> : <Differences of={data} isNew={sign === "+"} />;
}
