"use client";

import type { ReactNode } from "react";
import type { Kind } from "#server/model/definitions/contract.ts";
import { useWhere } from "../../client/where.tsx";
import { Notice } from "../../components/surface.tsx";
import { exactly } from "../../components/exactly.ts";
import { DefinitionPage } from "../form/definition-page.tsx";
import { KIND_MODULES, titleOfKey } from "../kinds/index.ts";
import type { Version } from "./version-words.ts";

interface DeletedProps {
  kind: Kind;
  definitionKey: string;
  /** Its last version, the deletion. */
  version: Version;
  children: ReactNode;
}

/** The screen of a deleted definition: its history, from which it can be restored. */
export function DeletedFrame({ kind, definitionKey, version, children }: DeletedProps) {
  const { timeZone } = useWhere();
  return (
    <DefinitionPage kind={kind} knownKey={null} title={titleOfKey(kind, definitionKey, timeZone)} isActive={null} isDeleted>
      <Notice
        tone="warn"
        className="mb-4"
        title={`${version.by ?? "Somebody"} deleted this ${KIND_MODULES[kind].one} on ${exactly(version.at, timeZone)}.`}
      >
        Its history is kept. Restore a version to bring it back.
      </Notice>
      {children}
    </DefinitionPage>
  );
}
