import type { Metadata } from "next";
import { Prefetch } from "#web/client/server.tsx";
import { scopeFrom, type ScopeParams } from "#web/client/scope.ts";
import { PromoteScreen } from "#web/definitions/promote/promote-screen.tsx";

export const metadata: Metadata = { title: "Promote" };

interface Props {
  params: Promise<ScopeParams>;
  searchParams: Promise<Record<string, string | string[] | undefined>>;
}

/**
 * Promotes definitions from the Sandbox to Live, and imports and exports files. `?chosen=missions:first_order,segments:vip` preselects.
 * Copying from Live to the Sandbox needs `?to=sandbox`.
 */
export default async function PromotePage({ params, searchParams }: Props) {
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
