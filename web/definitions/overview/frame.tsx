import type { ReactNode } from "react";
import { type Kind, hasKey } from "#server/model/definitions/contract.ts";
import type { Scope } from "../../client/address.ts";
import { orLeave, serverRpc } from "../../client/server.tsx";
import { keptBecause } from "../document/form-words.ts";
import { DefinitionScreen } from "./definition-screen.tsx";
import { type Definition, titleOf } from "./read-definition.ts";

interface FrameProps {
  scope: Scope;
  kind: Kind;
  known: Definition;
  children: ReactNode;
}

/** The screen around a tab rendered on the server. */
export async function DefinitionFrame({ scope, kind, known, children }: FrameProps) {
  const { timeZone } = await orLeave((await serverRpc()).definitions.catalogue(scope));
  return (
    <DefinitionScreen
      kind={kind}
      known={known}
      title={titleOf(known, kind, timeZone)}
      hasSwitch={hasKey(kind)}
      keptBecause={keptBecause(known.removal)}
    >
      {children}
    </DefinitionScreen>
  );
}
