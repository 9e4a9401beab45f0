import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { FIGURE_NAMES, FIGURE_WORDS, type Figure, ruleOf } from "../../server/model/alerts/figures.ts";
import { WINDOWS } from "../../server/model/alerts/judge.ts";
import { orpc } from "../client/rpc.ts";
import { useRead, useWhere } from "../client/where.tsx";
import { Segmented } from "../components/choice.tsx";
import { Combobox } from "../components/combobox.tsx";
import { FormDialog, useDialogProblems } from "../components/form-dialog.tsx";
import { DecimalInput, Field, TextInput } from "../components/inputs.tsx";
import { Select } from "../components/select.tsx";
import { useToast } from "../components/toast.tsx";
import { KIND_SCREENS } from "../definitions/kinds/index.ts";
import { Preview } from "./preview.tsx";
import { type Alert, type AlertForm, formOf, isPercent, PRESETS, ruleIn } from "./form.ts";

/** Adds or changes an alert, with a preview of when it would have fired. */
export function AlertDialog({ alert, onClose }: { alert?: Alert; onClose(): void }) {
  const { scope } = useWhere();
  const toast = useToast();
  const { data: catalogue } = useRead(orpc.definitions.catalogue);
  const [form, setForm] = useState<AlertForm>(alert === undefined ? PRESETS[0]!.form : formOf(alert));
  const [preset, setPreset] = useState(PRESETS[0]!.id);
  const { at, attempt, setProblems } = useDialogProblems();
  const save = useMutation(orpc.alerts.save.mutationOptions({ meta: { touches: [orpc.alerts.key()] } }));
  const change = (changed: Partial<AlertForm>) => setForm({ ...form, ...changed });
  const rule = ruleOf(form.figure);
  const threshold = ruleIn(form).threshold;

  const submit = () => {
    if (Number.isNaN(threshold)) return setProblems([{ pointer: "#/threshold", message: "Enter a number." }]);
    void attempt(async () => {
      const saved = await save.mutateAsync({ ...scope, ...ruleIn(form), id: alert?.id ?? null, name: form.name });
      if (saved.problems.length > 0) return setProblems(saved.problems);
      onClose();
      toast({ title: alert === undefined ? "Alert added" : "Alert saved" });
    });
  };
  const chooseFigure = (figure: Figure) => {
    const kinds = ruleOf(figure).kinds;
    const isKept = form.subject !== null && kinds.some((kind) => form.subject!.startsWith(`${kind}/`));
    change({ figure, subject: isKept ? form.subject : null });
  };
  const definitions = rule.kinds.flatMap((kind) => {
    const { one, icon: Icon } = KIND_SCREENS[kind];
    const named: readonly { key: string; name: string }[] = catalogue === undefined ? [] : (catalogue[kind as "missions"] ?? []);
    return named.map(({ key, name }) => ({ value: `${kind}/${key}`, label: name, hint: `${one} · ${key}`, icon: <Icon /> }));
  });

  return (
    <FormDialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={alert === undefined ? "New alert" : "Edit alert"}
      submitLabel={alert === undefined ? "Add alert" : "Save"}
      isPending={save.isPending}
      noValidate
      onSubmit={submit}
      problem={at("")}
    >
      {alert === undefined && (
        <Field label="Start from">
          <Select
            value={preset}
            onValueChange={(id) => {
              setPreset(id);
              setForm(PRESETS.find((one) => one.id === id)!.form);
              setProblems([]);
            }}
            options={PRESETS.map(({ id, label }) => ({ value: id, label }))}
          />
        </Field>
      )}
      <Field label="Name" error={at("#/name")}>
        <TextInput value={form.name} onValueChange={(name) => change({ name })} maxLength={100} autoComplete="off" />
      </Field>
      <Field label="Figure">
        <Select<Figure>
          value={form.figure}
          onValueChange={chooseFigure}
          options={FIGURE_NAMES.map((value) => ({ value, label: FIGURE_WORDS[value].label }))}
        />
      </Field>
      {rule.kinds.length > 0 && (
        <Field label="Of" error={at("#/key")}>
          <Combobox
            value={form.subject}
            onValueChange={(subject) => change({ subject })}
            options={definitions}
            placeholder={rule.whole === null ? "Choose…" : "All"}
            isClearable={rule.whole !== null}
          />
        </Field>
      )}
      <div className="flex flex-wrap items-start gap-3">
        <Segmented
          label="Comparison"
          value={form.comparison}
          onValueChange={(comparison) => change({ comparison })}
          options={[
            { value: "Above", label: "Above" },
            { value: "Below", label: "Below" },
          ]}
        />
        <Segmented
          label="Compared with"
          value={form.basis}
          onValueChange={(basis) => change({ basis })}
          options={[
            { value: "Bound", label: "A value" },
            { value: "Usual", label: "Usual" },
          ]}
        />
      </div>
      <div className="grid gap-4 sm:grid-cols-2">
        <Field label={form.basis === "Usual" ? "Times the usual" : isPercent(form) ? "Value in %" : "Value"} error={at("#/threshold")}>
          <DecimalInput value={form.threshold} onValueChange={(text) => change({ threshold: text })} />
        </Field>
        {rule.type !== "level" && (
          <Field label="In" error={at("#/hours")}>
            <Select
              value={String(form.hours)}
              onValueChange={(hours) => change({ hours: Number(hours) })}
              options={WINDOWS.map((hours) => ({ value: String(hours), label: hours === 1 ? "1 hour" : `${hours} hours` }))}
            />
          </Field>
        )}
      </div>
      <p className="text-xs text-quiet">
        {form.basis === "Usual" && "Usual is the mean of the same hours of the four weeks before. No alert while it is 0. "}
        {rule.type === "share" && "A share of fewer than 20 attempts is not judged. "}
        {form.comparison === "Below" ? "Checked when an hour is complete." : "Checked during the hour."}
      </p>
      <Preview form={form} />
    </FormDialog>
  );
}
