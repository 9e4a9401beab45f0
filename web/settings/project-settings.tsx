import { useMutation, useQuery } from "@tanstack/react-query";
import { useRouter } from "next/navigation";
import { useState } from "react";
import { languageName } from "../../server/model/kernel/languages.ts";
import { EVERYTHING, orpc } from "../client/rpc.ts";
import { useRead, useWhere } from "../client/where.tsx";
import { Button } from "../components/button.tsx";
import { Combobox } from "../components/combobox.tsx";
import { Field, ScriptForm, TextInput } from "../components/inputs.tsx";
import { LanguagePicker } from "../components/language-picker.tsx";
import { Card, Notice, Skeleton } from "../components/surface.tsx";
import { useToast } from "../components/toast.tsx";
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
  const toast = useToast();
  const { data: catalogue } = useRead(orpc.definitions.catalogue);
  const [wanted, setWanted] = useState(saved);
  const save = useMutation(
    orpc.projectSettings.save.mutationOptions({
      onSuccess({ problems }) {
        if (problems.length > 0) return;
        toast({ title: "Project settings saved" });
        router.refresh();
      },
      meta: { failure: "Not saved", touches: [EVERYTHING] },
    }),
  );
  const isDirty = Object.entries(saved).some(([name, value]) => wanted[name as keyof Settings] !== value);
  const guard = useUnsavedGuard(isDirty && !save.isSuccess);
  const errorAt = (name: keyof Settings) => save.data?.problems.find(({ pointer }) => pointer === `#/${name}`)?.message;
  const mayChange = canInBoth("Admin");
  const others = (catalogue?.languages ?? []).filter((language) => language !== saved.defaultLanguage);
  return (
    <ScriptForm noValidate className="flex flex-col gap-4" onSubmit={() => save.mutate({ project, ...wanted })}>
      {guard}
      {!mayChange && <Notice tone="neutral">Only Admins and Owners can change these settings.</Notice>}
      <Field label="Name" error={errorAt("name")}>
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
          error={errorAt("defaultLanguage")}
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
          error={errorAt("timeZone")}
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
