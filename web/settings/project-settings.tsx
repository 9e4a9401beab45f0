import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useRouter } from "next/navigation";
import { useState } from "react";
import { languageName } from "../../server/model/kernel/languages.ts";
import { EVERYTHING, orpc, rpc, useRead, useWhere, useAttempt } from "../client/service.tsx";
import { Button, SmallLink } from "../components/button.tsx";
import { Field, ScriptForm, TextInput } from "../components/inputs.tsx";
import { Combobox, LanguagePicker, Select } from "../components/lazy-controls.tsx";
import { Loaded } from "../components/problems.tsx";
import { Card, Notice } from "../components/surface.tsx";
import { useSave } from "../components/form-dialog.tsx";
import { useUnsavedGuard } from "../components/unsaved.tsx";
import { zoneOptions, choices } from "../components/choice.tsx";
import { Switch } from "../components/toggle.tsx";
import { ConfirmDialog, useAsked } from "../components/overlay.tsx";
import { plural } from "../../server/model/kernel/thousands.ts";

interface Settings {
  name: string;
  defaultLanguage: string;
  timeZone: string;
}

/** Settings shared by both environments. */
export function ProjectSettings() {
  const { project } = useWhere();
  const settings = useQuery(orpc.projectSettings.read.queryOptions({ input: { project } }));
  return (
    <Card title="Project" description="For the Sandbox and for Live.">
      <Loaded of={settings} what="The settings" className="h-40">
        {(saved) => <SettingsForm saved={saved} />}
      </Loaded>
    </Card>
  );
}

function SettingsForm({ saved }: { saved: Settings }) {
  const { project, canInBoth } = useWhere();
  const router = useRouter();
  const { data: catalogue } = useRead(orpc.definitions.catalogue);
  const queries = useQueryClient();
  const [chosen, setChosen] = useState<Partial<Settings>>({});
  const changes = without(chosen, saved);
  const wanted = { ...saved, ...changes };
  const change = (one: Partial<Settings>) => setChosen({ ...changes, ...one });
  const save = useSave({ touches: [EVERYTHING], done: "Project settings saved" }, async () => {
    // What another Admin has changed since the page was read is not sent back.
    const { problems } = await rpc.projectSettings.save({ project, ...changes });
    if (problems.length > 0) return problems;
    const { queryKey } = orpc.projectSettings.read.queryOptions({ input: { project } });
    queries.setQueryData(queryKey, (before) => before && { ...before, ...changes });
    setChosen((now) => without(now, changes));
    router.refresh();
  });
  const isDirty = Object.keys(changes).length > 0;
  const guard = useUnsavedGuard(isDirty);
  const mayChange = canInBoth("Admin");
  const others = (catalogue?.languages ?? []).filter((language) => language !== saved.defaultLanguage);
  return (
    <ScriptForm noValidate className="flex flex-col gap-4" onSubmit={save.submit} problems={save.problems}>
      {guard}
      {!mayChange && <Notice tone="neutral">Only Admins and Owners can change these settings.</Notice>}
      <Field label="Name" at="#/name">
        <TextInput value={wanted.name} onValueChange={(name) => change({ name })} disabled={!mayChange} maxLength={200} />
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
            onValueChange={(defaultLanguage) => change({ defaultLanguage })}
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
            onValueChange={(timeZone) => timeZone !== null && change({ timeZone })}
            options={zoneOptions()}
            disabled={!mayChange}
          />
        </Field>
      </div>
      {mayChange && (
        <div className="flex justify-end gap-2">
          {isDirty && <Button onClick={() => setChosen({})}>Discard changes</Button>}
          <Button variant="primary" type="submit" isPending={save.isPending} isBlocked={!isDirty}>
            Save
          </Button>
        </div>
      )}
    </ScriptForm>
  );
}

/** The settings among these that are others than those. */
const without = (some: Partial<Settings>, those: Partial<Settings>): Partial<Settings> =>
  Object.fromEntries(Object.entries(some).filter(([name, value]) => value !== those[name as keyof Settings]));

/** Whether changes to Live need an approval; turning that off needs one as well. */
export function Approvals() {
  const { project, canInBoth, approvals } = useWhere();
  const settings = useQuery(orpc.projectSettings.read.queryOptions({ input: { project } }));
  const attempt = useAttempt();
  const { asked, ask, opened } = useAsked<boolean>();
  const isOff = asked === false;
  const change = (isOn: boolean) =>
    attempt("Not saved", () => rpc.projectSettings.guardLive({ project, isOn }), "Changes to Live now need an approval");
  return (
    <Card
      title="Approvals for Live"
      description="A second person approves every change to definitions in Live, such as missions, rewards and prices."
      actions={
        (approvals.isOn || approvals.waiting > 0) && <SmallLink href={`/dashboard/${project}/live/requests`}>Change requests</SmallLink>
      }
    >
      <Loaded of={settings} what="The setting" className="h-12">
        {({ isLiveGuarded }) => (
          <Switch
            label="Changes to Live need an approval"
            hint={
              canInBoth("Admin")
                ? "Owners, Admins, and the Editors chosen under Members can approve requests of others. An Owner can go ahead alone with a reason."
                : "Only Admins and Owners can change this."
            }
            checked={isLiveGuarded}
            disabled={!canInBoth("Admin")}
            onCheckedChange={ask}
          />
        )}
      </Loaded>
      <ConfirmDialog
        {...opened}
        title={isOff ? "Request to turn off approvals?" : "Require approvals in Live?"}
        confirmLabel={isOff ? "Request change" : "Turn on"}
        onConfirm={() => change(asked!)}
      >
        {isOff
          ? "Turning this off is a change request itself: it takes effect once another person approves it."
          : "From now on a save, promotion or import into Live becomes a change request. Turning this off again needs an approval too."}
      </ConfirmDialog>
    </Card>
  );
}

const REQUIREMENTS = choices({
  none: "Optional",
  live: "Required from people who can change Live",
  everybody: "Required from everyone",
});

type Requirement = (typeof REQUIREMENTS)[number]["value"];

/** The setting that requires a second factor in the project's organization. */
export function Security() {
  const { project } = useWhere();
  const security = useQuery(orpc.security.read.queryOptions({ input: { project } }));
  const { data } = security;
  const attempt = useAttempt(orpc.security.key());
  const { asked, ask, opened } = useAsked<Requirement>();
  const save = (choice: Requirement) =>
    attempt(
      "The setting was not saved",
      () => rpc.security.require({ project, requirement: choice === "none" ? null : choice }),
      "Security saved",
    );
  const affected = data === undefined || asked === null || asked === "none" ? 0 : asked === "live" ? data.withoutInLive : data.without;
  return (
    <Card title="Security" description="For the whole organization.">
      <Loaded of={security} what="The setting" className="h-14">
        {({ mayChange, requirement }) => (
          <Field
            label="Second factor"
            hint={
              mayChange
                ? "A code in addition to the password. Sign-in providers ask for their own."
                : "Only an Owner of the whole organization can change this."
            }
          >
            <Select
              value={requirement ?? "none"}
              onValueChange={(value) => value !== (requirement ?? "none") && ask(value)}
              options={REQUIREMENTS}
              disabled={!mayChange}
            />
          </Field>
        )}
      </Loaded>
      <ConfirmDialog
        {...opened}
        title={asked === "none" ? "Stop requiring a second factor?" : "Require a second factor?"}
        confirmLabel={asked === "none" ? "Stop requiring it" : "Require it"}
        isDanger={asked === "none"}
        onConfirm={() => save(asked!)}
      >
        {asked === "none"
          ? "Members keep theirs, and can remove it."
          : affected === 0
            ? "Everyone affected already has one."
            : `${plural(affected, "member")} ${affected === 1 ? "has" : "have"} none yet, and can do nothing else until they set it up. Tokens keep working.`}
      </ConfirmDialog>
    </Card>
  );
}
