"use client";

import { useRouter } from "next/navigation";
import { type ReactNode, useState } from "react";
import type { Kind } from "#server/model/definitions/contract.ts";
import { DefinitionActions } from "../form/definition-actions.tsx";
import { DefinitionPage } from "../form/definition-page.tsx";
import { isTried } from "../kinds/index.ts";
import { TryPanel } from "../try/try-panel.tsx";
import type { Definition } from "./read-definition.ts";

interface ScreenProps {
  kind: Kind;
  known: Definition;
  title: string;
  hasSwitch: boolean;
  /** Why it cannot be deleted, as a sentence; null where it can be. */
  keptBecause: string | null;
  children: ReactNode;
}

/** A tab of an existing definition that shows it as it is stored. */
export function DefinitionScreen({ kind, known, title, hasSwitch, keptBecause, children }: ScreenProps) {
  const router = useRouter();
  const [isTrying, setTrying] = useState(false);
  const isActive = hasSwitch ? known.active : null;
  return (
    <DefinitionPage
      kind={kind}
      knownKey={known.key}
      title={title}
      isActive={isActive}
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
      {isTried(kind) && <TryPanel kind={kind} document={known.document} problems={[]} open={isTrying} onOpenChange={setTrying} />}
      {children}
    </DefinitionPage>
  );
}
