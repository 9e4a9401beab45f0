import { Prefetch } from "#web/client/server.tsx";
import { FormOfKind } from "#web/definitions/kinds/forms/index.tsx";
import {
  definitionFrom,
  type DefinitionProps,
  definitionMetadata,
  readDefinition,
  requestFrom,
} from "#web/definitions/overview/read-definition.ts";

export const generateMetadata = definitionMetadata((name, many) => `Edit ${name} · ${many}`);

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
