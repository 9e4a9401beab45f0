import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { type Answers, orpc, requestMadeBy, useRead, useWhere } from "../client/service.tsx";
import { Button, LinkButton, SmallLink } from "../components/button.tsx";
import { Field, ScriptForm, TextInput } from "../components/inputs.tsx";
import { Card, Notice } from "../components/surface.tsx";
import { column, DataTable, numericColumn } from "../components/table.tsx";
import { useToast } from "../components/toast.tsx";
import { Switch } from "../components/toggle.tsx";
import { Loaded, problemOf } from "../components/problems.tsx";

export function Currency() {
  const { can } = useWhere();
  const { settings, ...saving } = useSettings();
  return (
    <Card title="Base currency and exchange rates" description="Money metrics are converted to the base currency and added up in it.">
      <Loaded of={settings} what="The settings" className="h-32">
        {({ baseCurrency, isBaseCurrencyFixed }) => (
          <div className="flex flex-col gap-5">
            <BaseCurrency key={baseCurrency} current={baseCurrency} isFixed={isBaseCurrencyFixed} isDisabled={!can("Editor")} {...saving} />
            <Rates base={baseCurrency} />
          </div>
        )}
      </Loaded>
    </Card>
  );
}

interface BaseCurrencyProps extends Omit<ReturnType<typeof useSettings>, "settings"> {
  current: string | null;
  /** Immutable once amounts have been added up in it. */
  isFixed: boolean;
  isDisabled: boolean;
}

function BaseCurrency({ current, isFixed, isDisabled, save, problem, isPending }: BaseCurrencyProps) {
  const [code, setCode] = useState(current ?? "");
  const toast = useToast();
  const wanted = code.trim().toUpperCase() || null;
  const submit = () =>
    save({ baseCurrency: wanted }, () => toast({ title: wanted === null ? "Base currency removed" : `The base currency is ${wanted}` }));
  return (
    <ScriptForm noValidate onSubmit={() => void submit()}>
      <Field
        label="Base currency"
        optional={!isFixed}
        error={problem ?? undefined}
        hint={
          isFixed
            ? "Can't be changed: amounts have been added up in it. To use another one, create a new project or reset the Sandbox."
            : "An ISO 4217 code such as EUR. It can be changed until the first amount arrives."
        }
      >
        <div className="flex gap-2">
          <TextInput
            value={code}
            onValueChange={setCode}
            placeholder={isFixed || isDisabled ? "None" : "EUR"}
            maxLength={3}
            autoComplete="off"
            spellCheck={false}
            disabled={isFixed || isDisabled}
            className="w-28 uppercase placeholder:normal-case"
          />
          {!isFixed && !isDisabled && (
            <Button type="submit" isPending={isPending} isBlocked={wanted === current}>
              Save
            </Button>
          )}
        </div>
      </Field>
    </ScriptForm>
  );
}

function Rates({ base }: { base: string | null }) {
  const { href, can } = useWhere();
  const { data: catalogue } = useRead(orpc.definitions.catalogue);
  const rates = (catalogue?.currencies ?? []).filter(({ code }) => code !== base);
  return (
    <div className="overflow-hidden rounded-lg border border-line">
      <DataTable<Answers["definitions"]["catalogue"]["currencies"][number]>
        label="Exchange rates"
        columns={[
          column("Currency", ({ code }) => <code className="font-mono text-xs">{code}</code>),
          numericColumn(`Worth in ${base ?? "the base currency"}`, ({ rate }) => rate),
        ]}
        rows={rates}
        rowKey={({ code }) => code}
        href={({ code }) => href(`/exchange-rates/${code}`)}
        empty={<p className="px-4 py-3 text-quiet">No rates: amounts are accepted in {base ?? "the base currency"} only.</p>}
      />
      <div className="flex gap-2 border-t border-line p-2">
        {can("Editor") && <SmallLink href={href("/exchange-rates/new")}>Add a rate</SmallLink>}
        <LinkButton size="sm" variant="ghost" href={href("/exchange-rates")}>
          All rates
        </LinkButton>
      </div>
    </div>
  );
}

const WORDS = {
  events: {
    label: "Define events and properties as they arrive",
    hint: "An undefined event is accepted and defined from its contents. When off, it is refused, which catches misspelt keys.",
  },
  attributes: {
    label: "Define attributes as they arrive",
    hint: "An undefined attribute is accepted and defined from its first value. When off, it is refused.",
  },
};

/** Whether discovery defines unknown names. */
export function Discovery() {
  const { can, environment } = useWhere();
  const { settings, save, problem, isPending } = useSettings();
  const toast = useToast();
  const turn = (discovery: Change["discovery"], before: Change["discovery"], undone?: string | null): Promise<void> =>
    save(
      { discovery },
      (saved) => toast({ title: "Discovery saved", action: { label: "Undo", onSelect: () => void turn(before, discovery, saved) } }),
      undone,
    );
  return (
    <Card
      title="Discovery"
      description={
        environment === "live"
          ? "Usually off in Live, so that mistakes are refused."
          : "Usually on in the Sandbox, so that you need not define everything first."
      }
    >
      <Loaded of={settings} what="The settings" className="h-20">
        {({ discovery }) => (
          <div className="flex flex-col gap-4">
            {(["events", "attributes"] as const).map((kind) => (
              <Switch
                key={kind}
                {...WORDS[kind]}
                checked={discovery[kind]}
                disabled={!can("Editor") || isPending}
                onCheckedChange={(isOn) => void turn({ ...discovery, [kind]: isOn }, discovery)}
              />
            ))}
            {problem !== null && <Notice tone="bad">{problem}</Notice>}
          </div>
        )}
      </Loaded>
    </Card>
  );
}

interface Change {
  discovery?: { events: boolean; attributes: boolean };
  baseCurrency?: string | null;
}

/** An environment's settings and their save, with the last one's problems. */
function useSettings() {
  const { scope } = useWhere();
  const settings = useRead(orpc.definitions.settings);
  const toast = useToast();
  const [problem, setProblem] = useState<string | null>(null);
  const { mutateAsync, isPending } = useMutation(
    orpc.definitions.saveSettings.mutationOptions({ meta: { failure: "Not saved", touches: [orpc.definitions.key()] } }),
  );
  /**
   * `onSaved` gets the new revision; it is not called for a change request, which has a toast of its own. An undo passes the revision that
   * it undoes, and shows its problems in a toast, since the user may have left the screen.
   */
  const save = async (change: Change, onSaved: (revision: string | null) => void, undone?: string | null) => {
    try {
      const { problems, conflict, revision } = await mutateAsync({
        ...scope,
        ...change,
        revision: undone ?? settings.data?.revision ?? null,
      });
      const { sentenceOf } = await import("../definitions/document/form-words.ts");
      const found = conflict
        ? `${conflict.by ?? "Another user"} changed the settings meanwhile. Check them and save again.`
        : problems.map(sentenceOf).join(" ");
      if (found === "") onSaved(revision);
      if (found !== "" && undone !== undefined) toast({ title: "Not undone", description: found, tone: "bad" });
      else setProblem(found || null);
    } catch (error) {
      setProblem(requestMadeBy(error) === null ? problemOf(error) : null);
    }
  };
  return { settings, save, problem, isPending };
}
