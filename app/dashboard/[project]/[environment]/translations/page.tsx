import type { Metadata } from "next";
import { Prefetch } from "#web/client/server.tsx";
import { scopeFrom, type ScopeParams } from "#web/client/scope.ts";
import { Translations } from "#web/definitions/translations/translations.tsx";
import { textsInput, viewFrom } from "#web/definitions/translations/view.ts";

export const metadata: Metadata = { title: "Translations" };

interface Props {
  params: Promise<ScopeParams>;
  searchParams: Promise<Record<string, string | string[] | undefined>>;
}

/** All texts of an environment in their languages, with the first of them in the page. */
export default async function TranslationsPage({ params, searchParams }: Props) {
  const scope = await scopeFrom(params);
  const view = viewFrom(await searchParams);
  return (
    <Prefetch find={(orpc) => [orpc.definitions.texts.queryOptions({ input: textsInput(scope, view, view.added, null) })]}>
      <Translations initialView={view} />
    </Prefetch>
  );
}
