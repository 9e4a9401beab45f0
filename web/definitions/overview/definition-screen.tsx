"use client";

import { instantInWords } from "#server/model/kernel/dates.ts";
import { useRouter } from "next/navigation";
import { type ReactNode, useState } from "react";
import type { Kind } from "#server/model/definitions/contract.ts";
import { DefinitionActions, DefinitionLayout, TryPanel } from "../form/definition-layout.tsx";
import { isTried, KIND_SCREENS, titleOfKey } from "../kinds/index.ts";
import { stateOf } from "../shown-state.ts";
import type { Definition } from "./read-definition.ts";
import { useWhere } from "../../client/service.tsx";
import { Notice } from "../../components/surface.tsx";
import type { Version } from "../history/version-line.tsx";

interface ScreenProps {
  kind: Kind;
  known: Definition;
  title: string;
  hasSwitch: boolean;
  /** Why it cannot be deleted, as a sentence; null if it can be. */
  keptBecause: string | null;
  children: ReactNode;
}

/** A tab of an existing definition that shows it as it is stored. */
export function DefinitionScreen({ kind, known, title, hasSwitch, keptBecause, children }: ScreenProps) {
  const router = useRouter();
  const { now } = useWhere();
  const [isTrying, setTrying] = useState(false);
  const isActive = hasSwitch ? known.active : null;
  return (
    <DefinitionLayout
      kind={kind}
      knownKey={known.key}
      title={title}
      state={hasSwitch ? stateOf(known.active, known.summary, now) : null}
      actions={
        <DefinitionActions
          kind={kind}
          known={known}
          isActive={isActive}
          keptBecause={keptBecause}
          title={title}
          onSwitched={() => router.refresh()}
          onTry={isTried(kind) ? () => setTrying(true) : undefined}
        />
      }
    >
      {isTried(kind) && (
        <TryPanel kind={kind} tried={() => ({ document: known.document, problems: [] })} open={isTrying} onOpenChange={setTrying} />
      )}
      {children}
    </DefinitionLayout>
  );
}

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
    <DefinitionLayout kind={kind} knownKey={null} title={titleOfKey(kind, definitionKey, timeZone)} state={null} isDeleted>
      <Notice
        tone="warn"
        className="mb-4"
        title={`${version.by ?? "Another user"} deleted this ${KIND_SCREENS[kind].one} on ${instantInWords(version.at, timeZone)}.`}
      >
        Its history is kept. Restore a version to bring it back.
      </Notice>
      {children}
    </DefinitionLayout>
  );
}
