import { environmentPage } from "#web/client/server.tsx";
import { Translations } from "#web/definitions/translations/translations.tsx";
import { addedIn, TEXTS, textsInput } from "#web/definitions/translations/view.ts";

export const metadata = { title: "Translations" };

export default environmentPage(
  (orpc, scope, view) => [orpc.definitions.texts.queryOptions({ input: textsInput(scope, view, addedIn(view), null) })],
  Translations,
  TEXTS,
);
