"use client";

import { useState } from "react";
import type { DashboardClient } from "#server/api/dashboard.ts";
import { languageName } from "#server/model/kernel/languages.ts";
import { plural } from "#server/model/kernel/thousands.ts";
import { useAttempt } from "../../client/attempt.ts";
import { orpc, rpc } from "../../client/rpc.ts";
import { useWhere } from "../../client/where.tsx";
import { Button } from "../../components/button.tsx";
import { LanguagePicker } from "../../components/language-picker.tsx";
import { Notice } from "../../components/surface.tsx";
import { useToast } from "../../components/toast.tsx";

type Unknown = Awaited<ReturnType<DashboardClient["definitions"]["texts"]>>["unknown"][number];

/** Invalid language codes, from before codes were checked, each with a repair. */
export const UnknownLanguages = ({ unknown, isEditor }: { unknown: readonly Unknown[]; isEditor: boolean }) =>
  unknown.map((one) => (
    <Notice key={one.tag} tone="warn" title={`“${one.tag}” is not the code of a language`}>
      {plural(one.texts, "text has", "texts have")} words under it. Apps ask for codes such as {one.suggestion ?? "nl"}, so players get the
      default language instead.
      {isEditor && <Repair {...one} />}
    </Notice>
  ));

function Repair({ tag, suggestion }: Unknown) {
  const { scope } = useWhere();
  const toast = useToast();
  const attempt = useAttempt(orpc.definitions.key());
  const [to, setTo] = useState(suggestion);
  const [isPending, setPending] = useState(false);
  const repair = async () => {
    if (to === null) return;
    setPending(true);
    const done = await attempt("Nothing was changed", () => rpc.definitions.repairLanguage({ ...scope, from: tag, to })).catch(
      () => undefined,
    );
    setPending(false);
    if (done === undefined) return;
    const kept = done.kept === 0 ? undefined : `${plural(done.kept, "text")} had ${languageName(to)} words already, which stay.`;
    toast({ title: `${plural(done.changed, "text")} moved to ${languageName(to)}`, description: kept });
  };
  return (
    <div className="mt-2 flex flex-wrap items-center gap-2">
      <LanguagePicker aria-label={`Language that ${tag} means`} value={to} onValueChange={setTo} className="w-56" />
      <Button isPending={isPending} disabled={to === null} onClick={() => void repair()}>
        {to === null ? "Change" : `Change to ${languageName(to)} (${to})`}
      </Button>
    </div>
  );
}
