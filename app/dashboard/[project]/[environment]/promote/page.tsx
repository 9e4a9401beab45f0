import { Prefetch } from "#web/client/server.tsx";
import { type EnvironmentPageProps, scopeFrom } from "#web/client/address.ts";
import { PromoteScreen } from "#web/definitions/promote/promote-screen.tsx";

export const metadata = { title: "Promote" };

/**
 * Promotes definitions from the Sandbox to Live, and imports and exports files. `?chosen=missions:first_order,segments:vip` preselects.
 * Copying from Live to the Sandbox needs `?to=sandbox`.
 */
export default async function PromotePage({ params, searchParams }: EnvironmentPageProps) {
  const scope = await scopeFrom(params);
  const { chosen, to } = await searchParams;
  const isCompared = scope.environment === "sandbox" || to === "sandbox";
  return (
    <Prefetch
      find={(orpc) =>
        isCompared
          ? [orpc.definitions.difference.queryOptions({ input: scope }), orpc.definitions.catalogue.queryOptions({ input: scope })]
          : []
      }
    >
      <PromoteScreen isCompared={isCompared} chosenBefore={typeof chosen === "string" ? chosen : null} />
    </Prefetch>
  );
}
