import type { ReactNode } from "react";
import { TextLink } from "../../components/button.tsx";
import { ChangedFields } from "../history/changed-fields.tsx";
import { Differences } from "../history/lazy-differences.tsx";
import { definitionPath, titleOfKey } from "../kinds/index.ts";
import { orpc, useRead, useWhere } from "../../client/service.tsx";
import { ENVIRONMENT_NAMES, otherOf } from "../../components/environment-badge.tsx";
import { Loaded } from "../../components/problems.tsx";
import type { Divergence } from "./chosen.ts";
import { subjectTitle } from "./names.ts";

/** A definition's name, linked in the environment that has it. */
export function ChangeTitle({ divergence: { kind, key, name, sign }, children }: { divergence: Divergence; children?: ReactNode }) {
  const { project, environment, timeZone } = useWhere();
  const place = `/dashboard/${project}/${sign === "-" ? otherOf(environment) : environment}`;
  const href = kind === "settings" ? `${place}/settings` : place + definitionPath(kind, key);
  return (
    <div className="flex flex-wrap items-center gap-x-2 gap-y-1">
      <TextLink href={href} className="min-w-0 py-0.5 text-sm">
        {name === key && kind !== "settings" ? titleOfKey(kind, key, timeZone) : name}
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
  if (sign === "-") {
    return <p className="text-[0.8125rem] text-quiet">Would be switched off in {ENVIRONMENT_NAMES[otherOf(environment)]}</p>;
  }
  return (
    <ChangedFields
      sign={sign}
      fields={fields}
      of={subjectTitle(divergence)}
      isOpenAtFirst={isOpenAtFirst ?? (sign === "~" && fields <= SHORT && !isLong)}
      className="rounded-lg border border-line bg-paper px-3 py-1"
    >
      {isLong ? <LongDetail divergence={divergence} /> : <Differences of={divergence} isNew={sign === "+"} />}
    </ChangedFields>
  );
}

const SHORT = 4;

/** A difference too long for the list response. */
function LongDetail({ divergence: { kind, key, sign } }: { divergence: Divergence }) {
  const difference = useRead(orpc.definitions.divergence, { kind, key });
  return (
    <Loaded of={difference} what="The difference" className="h-16">
      {(of) => <Differences of={of} isNew={sign === "+"} />}
    </Loaded>
  );
}
