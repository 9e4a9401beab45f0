import { Suspense } from "react";
import { Outline } from "#web/components/surface.tsx";
import { DefinitionFrame } from "#web/definitions/overview/frame.tsx";
import { DefinitionOverview } from "#web/definitions/overview/overview.tsx";
import { definitionFrom, type DefinitionProps, definitionMetadata, readDefinition } from "#web/definitions/overview/read-definition.ts";

export const generateMetadata = definitionMetadata((name, many) => `${name} · ${many}`);

/** Shows one definition's summary and its references. */
export default async function DefinitionPage({ params }: DefinitionProps) {
  const { scope, kind, key } = await definitionFrom(params);
  const known = await readDefinition({ scope, kind, key });
  return (
    <DefinitionFrame kind={kind} known={known} scope={scope}>
      <Suspense fallback={<Outline />}>
        <DefinitionOverview scope={scope} kind={kind} known={known} />
      </Suspense>
    </DefinitionFrame>
  );
}
