import { History } from "#web/definitions/history/history.tsx";
import { definitionFrom, type DefinitionProps, findDefinition, definitionMetadata } from "#web/definitions/overview/read-definition.ts";
import { HISTORY } from "#web/definitions/history/history-view.ts";
import { DefinitionFrame } from "#web/definitions/overview/frame.tsx";
import { DeletedFrame } from "#web/definitions/overview/definition-screen.tsx";
import { orLeave, serverRpc } from "#web/client/server.tsx";

export const generateMetadata = definitionMetadata((name, many) => `History of ${name} · ${many}`);

/** Shows the versions of one definition, and how two of them differ; of a deleted one too. */
export default async function HistoryPage({ params, searchParams }: DefinitionProps) {
  const { scope, kind, key } = await definitionFrom(params);
  const known = await findDefinition({ scope, kind, key });
  const view = HISTORY.from(await searchParams);
  const rpc = await serverRpc();
  const page = await orLeave(rpc.definitions.history({ ...scope, kind, key, cursor: view.before }));
  const catalogue = await orLeave(rpc.definitions.catalogue(scope));
  const history = <History scope={scope} kind={kind} definitionKey={key} known={known} page={page} view={view} catalogue={catalogue} />;
  if (known === null) {
    const newest = view.before === null ? page : await orLeave(rpc.definitions.history({ ...scope, kind, key, limit: 1 }));
    return (
      <DeletedFrame kind={kind} definitionKey={key} version={newest.versions[0]!}>
        {history}
      </DeletedFrame>
    );
  }
  return (
    <DefinitionFrame kind={kind} known={known} scope={scope}>
      {history}
    </DefinitionFrame>
  );
}
