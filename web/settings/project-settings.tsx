import { useQuery } from "@tanstack/react-query";
import { useRouter } from "next/navigation";
import { useState } from "react";
import { languageName } from "../../server/model/kernel/languages.ts";
import { EVERYTHING, orpc, rpc, useRead, useWhere } from "../client/service.tsx";
import { Button } from "../components/button.tsx";
import { Combobox } from "../components/combobox.tsx";
import { Field, ScriptForm, TextInput } from "../components/inputs.tsx";
import { LanguagePicker } from "../components/language-picker.tsx";
import { Card, Notice, Skeleton } from "../components/surface.tsx";
import { useSave } from "../components/form-dialog.tsx";
import { useUnsavedGuard } from "../components/unsaved.tsx";
import { zoneOptions } from "../components/choice.tsx";

interface Settings {
  name: string;
  defaultLanguage: string;
  timeZone: string;
}

/** Settings shared by both environments. */
export function ProjectSettings() {
  const { project } = useWhere();
  const { data } = useQuery(orpc.projectSettings.read.queryOptions({ input: { project } }));
  return (
    <Card title="Project" description="For the Sandbox and for Live.">
      {data ? (
        <SettingsForm
          key={JSON.stringify(data)}
          saved={{ name: data.name, defaultLanguage: data.defaultLanguage, timeZone: data.timeZone }}
        />
      ) : (
        <Skeleton className="h-40" />
      )}
    </Card>
  );
}

function SettingsForm({ saved }: { saved: Settings }) {
  const { project, canInBoth } = useWhere();
  const router = useRouter();
  const { data: catalogue } = useRead(orpc.definitions.catalogue);
  const [wanted, setWanted] = useState(saved);
  const [isSaved, setSaved] = useState(false);
  const save = useSave({ touches: [EVERYTHING], done: "Project settings saved" }, async () => {
    const { problems } = await rpc.projectSettings.save({ project, ...wanted });
    if (problems.length > 0) return problems;
    setSaved(true);
    router.refresh();
  });
  const isDirty = Object.entries(saved).some(([name, value]) => wanted[name as keyof Settings] !== value);
  const guard = useUnsavedGuard(isDirty && !isSaved);
  const mayChange = canInBoth("Admin");
  const others = (catalogue?.languages ?? []).filter((language) => language !== saved.defaultLanguage);
  return (
    <ScriptForm noValidate className="flex flex-col gap-4" onSubmit={save.submit} problems={save.problems}>
      {guard}
      {!mayChange && <Notice tone="neutral">Only Admins and Owners can change these settings.</Notice>}
      <Field label="Name" at="#/name">
        <TextInput value={wanted.name} onValueChange={(name) => setWanted({ ...wanted, name })} disabled={!mayChange} maxLength={200} />
      </Field>
      <div className="grid gap-4 sm:grid-cols-2">
        <Field
          label="Default language"
          hint={
            others.length > 0
              ? `The language you write texts in. There are also texts in ${others.map(languageName).join(", ")}.`
              : "The language you write texts in. Translations can be added to each text."
          }
          at="#/defaultLanguage"
        >
          <LanguagePicker
            value={wanted.defaultLanguage}
            onValueChange={(defaultLanguage) => setWanted({ ...wanted, defaultLanguage })}
            disabled={!mayChange}
          />
        </Field>
        <Field
          label="Time zone"
          hint="For leaderboards, the shop, and players without a time zone of their own. Active missions keep their end."
          at="#/timeZone"
        >
          <Combobox
            value={wanted.timeZone}
            onValueChange={(timeZone) => timeZone !== null && setWanted({ ...wanted, timeZone })}
            options={zoneOptions()}
            disabled={!mayChange}
          />
        </Field>
      </div>
      {mayChange && (
        <div className="flex justify-end gap-2">
          {isDirty && <Button onClick={() => setWanted(saved)}>Discard changes</Button>}
          <Button variant="primary" type="submit" isPending={save.isPending} disabled={!isDirty}>
            Save
          </Button>
        </div>
      )}
    </ScriptForm>
  );
}
