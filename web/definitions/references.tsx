"use client";

import type { Kind } from "#server/model/definitions/contract.ts";
import { capitalised } from "#server/model/kernel/thousands.ts";
import { DefinitionLink } from "../client/links.tsx";
import { Card } from "../components/surface.tsx";
import { KIND_SCREENS } from "./kinds/index.ts";

const MAX_SHOWN = 20;

/** Definitions that another one references, or that reference it; hidden if there are none. */
export const References = ({ title, of }: { title: string; of: readonly { kind: Kind; key: string; name: string }[] }) =>
  of.length > 0 && (
    <Card title={title}>
      <ul className="flex flex-col gap-1.5 text-[0.8125rem]">
        {of.slice(0, MAX_SHOWN).map(({ kind, key, name }) => (
          <li key={`${kind} ${key}`} className="flex min-w-0 items-baseline gap-2">
            <DefinitionLink kind={kind} of={key} name={name} className="truncate text-accent" />
            <span className="ml-auto shrink-0 text-xs text-quiet">{capitalised(KIND_SCREENS[kind].one)}</span>
          </li>
        ))}
      </ul>
      {of.length > MAX_SHOWN && <p className="mt-2 text-xs text-quiet">and {of.length - MAX_SHOWN} more</p>}
    </Card>
  );
