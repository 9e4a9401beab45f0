import type { Metadata } from "next";
import { Prefetch } from "#web/client/server.tsx";
import { FormOfKind } from "#web/definitions/kinds/forms.tsx";
import { KIND_MODULES } from "#web/definitions/kinds/index.ts";
import { type DefinitionProps, nameOfDefinition, readDefinition } from "#web/definitions/overview/read-definition.ts";
import { definitionFrom } from "#web/definitions/definition-from.ts";

export async function generateMetadata({ params }: DefinitionProps): Promise<Metadata> {
  const which = await definitionFrom(params);
  return { title: `Edit ${await nameOfDefinition(which)} · ${KIND_MODULES[which.kind].many}` };
}

/** Shows one definition in its form. */
export default async function EditDefinitionPage({ params, searchParams }: DefinitionProps) {
  const { scope, kind, ...which } = await definitionFrom(params);
  const known = await readDefinition({ ...scope, kind, ...which });
  const isStartingOver = (await searchParams).start === "over" && known.removal.allowed;
  return (
    <Prefetch find={(orpc) => [orpc.definitions.catalogue.queryOptions({ input: scope })]}>
      <FormOfKind key={`${kind} ${known.key} ${String(isStartingOver)}`} kind={kind} known={known} isStartingOver={isStartingOver} />
    </Prefetch>
  );
}
