import type { Metadata } from "next";
import { Prefetch } from "#web/client/server.tsx";
import { FormOfKind } from "#web/definitions/kinds/forms/index.tsx";
import { KIND_SCREENS } from "#web/definitions/kinds/index.ts";
import {
  definitionFrom,
  type DefinitionProps,
  nameOfDefinition,
  readDefinition,
  requestFrom,
} from "#web/definitions/overview/read-definition.ts";

export async function generateMetadata({ params }: DefinitionProps): Promise<Metadata> {
  const which = await definitionFrom(params);
  return { title: `Edit ${await nameOfDefinition(which)} · ${KIND_SCREENS[which.kind].many}` };
}

export default async function EditDefinitionPage({ params, searchParams }: DefinitionProps) {
  const { scope, kind, key } = await definitionFrom(params);
  const known = await readDefinition({ scope, kind, key });
  const { start, request: asked } = await searchParams;
  const isStartingOver = start === "over" && known.removal.allowed;
  const request = await requestFrom({ scope, kind, key }, asked);
  return (
    <Prefetch find={(orpc) => [orpc.definitions.catalogue.queryOptions({ input: scope })]}>
      <FormOfKind
        key={`${kind} ${known.key} ${String(isStartingOver)} ${request?.revision ?? ""}`}
        {...{ kind, known, isStartingOver, request }}
      />
    </Prefetch>
  );
}
