import { useState } from "react";
import { FIGURE_NAMES, FIGURE_WORDS, type Figure, ruleOf } from "../../server/model/alerts/figures.ts";
import { WINDOWS } from "../../server/model/alerts/judge.ts";
import { orpc, rpc, useRead, useWhere } from "../client/service.tsx";
import { choices, Segmented } from "../components/choice.tsx";
import { Combobox } from "../components/combobox.tsx";
import { FormDialog, useSave } from "../components/form-dialog.tsx";
import { DecimalInput, Field, TextInput } from "../components/inputs.tsx";
import { Select } from "../components/select.tsx";
import { Preview } from "./preview.tsx";
import { type Alert, type AlertForm, definitionOptions, formOf, isPercent, PRESETS, ruleIn } from "./form.tsx";
import { plural } from "#server/model/kernel/thousands.ts";

/** Adds or changes an alert, with a preview of when it would have fired. */
export function AlertDialog({ alert, onClose }: { alert?: Alert; onClose(): void }) {
  const { scope } = useWhere();
  const { data: catalogue } = useRead(orpc.definitions.catalogue);
  // As the form found it: the list is read again meanwhile.
  const [edited] = useState({ id: alert?.id ?? null, revision: alert?.revision ?? null });
  const [form, setForm] = useState<AlertForm>(alert === undefined ? PRESETS[0]!.form : formOf(alert));
  const [preset, setPreset] = useState(PRESETS[0]!.id);
  const change = (changed: Partial<AlertForm>) => setForm({ ...form, ...changed });
  const rule = ruleOf(form.figure);
  const threshold = ruleIn(form).threshold;

  const save = useSave({ touches: [orpc.alerts.key()], done: alert === undefined ? "Alert added" : "Alert saved" }, async () => {
    if (Number.isNaN(threshold)) return [{ pointer: "#/threshold", message: "Enter a number, such as 1000." }];
    const { problems } = await rpc.alerts.save({ ...scope, ...edited, ...ruleIn(form), name: form.name });
    if (problems.length > 0) return problems;
    onClose();
  });
  const chooseFigure = (figure: Figure) => {
    const kinds = ruleOf(figure).kinds;
    const isKept = form.subject !== null && kinds.some((kind) => form.subject!.startsWith(`${kind}/`));
    change({ figure, subject: isKept ? form.subject : null });
  };

  return (
    <FormDialog
      onClose={onClose}
      title={alert === undefined ? "New alert" : "Edit alert"}
      submitLabel={alert === undefined ? "Add alert" : "Save"}
      save={save}
      noValidate
    >
      {alert === undefined && (
        <Field label="Start from">
          <Select
            value={preset}
            onValueChange={(id) => {
              setPreset(id);
              setForm(PRESETS.find((one) => one.id === id)!.form);
            }}
            options={PRESETS.map(({ id, label }) => ({ value: id, label }))}
          />
        </Field>
      )}
      <Field label="Name" at="#/name">
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
        <Field label="Applies to" at="#/key">
          <Combobox
            value={form.subject}
            onValueChange={(subject) => change({ subject })}
            options={definitionOptions(catalogue, rule.kinds)}
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
          options={choices({ Above: "Above", Below: "Below" })}
        />
        <Segmented
          label="Compared with"
          value={form.basis}
          onValueChange={(basis) => change({ basis })}
          options={choices({ Bound: "A value", Usual: "The usual" })}
        />
      </div>
      <div className="grid gap-4 sm:grid-cols-2">
        <Field label={form.basis === "Usual" ? "Times the usual" : isPercent(form) ? "Value in %" : "Value"} at="#/threshold">
          <DecimalInput value={form.threshold} onValueChange={(text) => change({ threshold: text })} />
        </Field>
        {rule.type !== "level" && (
          <Field label="Time window" at="#/hours">
            <Select
              value={String(form.hours)}
              onValueChange={(hours) => change({ hours: Number(hours) })}
              options={WINDOWS.map((hours) => ({ value: String(hours), label: plural(hours, "hour") }))}
            />
          </Field>
        )}
      </div>
      <p className="text-xs text-quiet">
        {form.basis === "Usual" && "Usual is the mean of the same hours in the previous four weeks. No alert while it is 0. "}
        {rule.type === "share" && "No alert while there are fewer than 20 attempts. "}
        {form.comparison === "Below" ? "Checked when an hour is complete." : "Checked during the hour."}
      </p>
      <Preview form={form} />
    </FormDialog>
  );
}
