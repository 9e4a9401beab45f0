import { type AuthoringExample, examplesOf } from "#server/model/rules/authoring-examples.ts";
import type { Kind } from "#server/model/definitions/contract.ts";
import { articled } from "#server/model/rules/naming.ts";
import type { Scope } from "../../client/address.ts";
import { orLeave, serverRpc } from "../../client/server.tsx";
import { Page } from "../../components/page.tsx";
import { KIND_SCREENS } from "../kinds/index.ts";
import { optionsFor, usualFor } from "./choices.ts";
import { ExampleCard } from "./example-card.tsx";

/** The examples of a kind, with their purposes and needs. */
export async function ExampleGallery({ scope, kind }: { scope: Scope; kind: Kind }) {
  const catalogue = await orLeave((await serverRpc()).definitions.catalogue(scope));
  const { many, one, path } = KIND_SCREENS[kind];
  const needsOf = ({ needs }: AuthoringExample) =>
    needs.map((need) => {
      const options = optionsFor(need, catalogue);
      return { name: need.name, noun: KIND_SCREENS[need.kind].one, standsFor: need.standsFor, options, usual: usualFor(need, options) };
    });
  return (
    <Page
      title="Start from an example"
      description={`Choose ${articled(one)} to begin with. You can change everything before it is created.`}
      breadcrumbs={[{ label: many, href: `/dashboard/${scope.project}/${scope.environment}/${path}` }]}
    >
      <ul className="grid gap-4 md:grid-cols-2">
        {examplesOf(kind).map((example) => {
          const { key, title, goodFor, summary } = example;
          return (
            <li key={key} className="min-w-0">
              <ExampleCard path={path} example={{ key, title, goodFor, summary }} needs={needsOf(example)} />
            </li>
          );
        })}
      </ul>
    </Page>
  );
}
