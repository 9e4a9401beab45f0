import { useState } from "react";
import { BUDGET_KINDS } from "../../server/model/alerts/budgets.ts";
import { orpc, rpc, useRead, useWhere } from "../client/service.tsx";
import { choices, Segmented } from "../components/choice.tsx";
import { Switch } from "../components/toggle.tsx";
import { Combobox } from "../components/combobox.tsx";
import { FormDialog, useSave } from "../components/form-dialog.tsx";
import { DecimalInput, Field } from "../components/inputs.tsx";
import { plainNumberOf } from "../definitions/fields/numbers.ts";
import { type Budget, definitionOptions } from "./form.tsx";

type Form = Pick<Budget, "measure" | "period" | "switchesOff"> & { definition: string | null; amount: string };

const NEW: Form = { definition: null, measure: "Points", period: "Day", amount: "", switchesOff: false };

/** Adds a budget, or changes one. */
export function BudgetDialog({ budget, onClose }: { budget?: Budget; onClose(): void }) {
  const { scope } = useWhere();
  const { data: catalogue } = useRead(orpc.definitions.catalogue);
  // As the form found it: the list is read again meanwhile.
  const [edited] = useState({ id: budget?.id ?? null, revision: budget?.revision ?? null });
  const [form, setForm] = useState<Form>(
    budget === undefined ? NEW : { ...budget, definition: `${budget.kind}/${budget.key}`, amount: String(budget.amount) },
  );
  const change = (changed: Partial<Form>) => setForm({ ...form, ...changed });
  const kind = BUDGET_KINDS.find((one) => form.definition?.startsWith(`${one}/`));

  const save = useSave({ touches: [orpc.budgets.key()], done: budget === undefined ? "Budget added" : "Budget saved" }, async () => {
    const amount = plainNumberOf(form.amount);
    if (kind === undefined || !Number.isInteger(amount)) {
      return [
        ...(kind === undefined ? [{ pointer: "#/key", message: "Select a mission or a listing." }] : []),
        ...(Number.isInteger(amount) ? [] : [{ pointer: "#/amount", message: "Enter a whole number above 0, such as 1000." }]),
      ];
    }
    const { measure, period, switchesOff } = form;
    const key = form.definition!.slice(kind.length + 1);
    const { problems } = await rpc.budgets.save({ ...scope, ...edited, kind, key, measure, period, amount, switchesOff });
    if (problems.length > 0) return problems;
    onClose();
  });

  return (
    <FormDialog
      onClose={onClose}
      title={budget === undefined ? "New budget" : "Edit budget"}
      submitLabel={budget === undefined ? "Add budget" : "Save"}
      save={save}
      noValidate
    >
      <Field label="Mission or listing" at="#/key">
        <Combobox
          value={form.definition}
          onValueChange={(definition) => change({ definition })}
          options={definitionOptions(catalogue, BUDGET_KINDS)}
          placeholder="Choose…"
        />
      </Field>
      <div className="flex flex-wrap items-start gap-3">
        <Segmented
          label="Counted"
          value={form.measure}
          onValueChange={(measure) => change({ measure })}
          options={choices({ Points: "Points", Items: kind === "marketplaceItems" ? "Purchases" : "Items" })}
        />
        <Segmented
          label="Period"
          value={form.period}
          onValueChange={(period) => change({ period })}
          options={choices({ Day: "Per day", Week: "Per week", All: "In total" })}
        />
      </div>
      <Field
        label="Amount"
        at="#/amount"
        hint={
          kind === "marketplaceItems" && form.measure === "Points"
            ? "Points spent, less refunds."
            : kind === "missions" && form.measure === "Items"
              ? "Catalog items granted."
              : undefined
        }
      >
        <DecimalInput value={form.amount} onValueChange={(amount) => change({ amount })} />
      </Field>
      <Switch
        label="Switch it off at 100%"
        hint="Checked every five seconds, so the limit can be slightly exceeded. Once you switch it on again, it stays on for the rest of the period."
        checked={form.switchesOff}
        onCheckedChange={(switchesOff) => change({ switchesOff })}
      />
    </FormDialog>
  );
}
