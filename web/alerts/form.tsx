import { ruleOf } from "../../server/model/alerts/figures.ts";
import type { Kind } from "../../server/model/definitions/contract.ts";
import type { Answers } from "../client/service.tsx";
import { plainNumberOf } from "../definitions/fields/numbers.ts";
import { entriesOf, KIND_SCREENS } from "../definitions/kinds/index.ts";

export type Budget = Answers["budgets"]["list"]["budgets"][number];
export type Alert = Answers["alerts"]["list"]["alerts"][number];
export type AlertForm = Pick<Alert, "name" | "figure" | "comparison" | "basis" | "hours"> & {
  /** "missions/welcome"; null for all. */
  subject: string | null;
  /** The typed text; percent for a share. */
  threshold: string;
};

/** Whether the threshold is typed in percent. */
export const isPercent = ({ figure, basis }: Pick<AlertForm, "figure" | "basis">): boolean =>
  basis === "Bound" && ruleOf(figure).type === "share";

/** The rule in the API's form; the API refuses a threshold that is not a number. */
export function ruleIn(form: AlertForm) {
  const [kind = null, ...rest] = form.subject?.split("/") ?? [];
  const number = plainNumberOf(form.threshold);
  const { figure, comparison, basis } = form;
  return {
    figure,
    comparison,
    basis,
    kind,
    key: kind === null ? null : rest.join("/"),
    hours: ruleOf(figure).type === "level" ? 1 : form.hours,
    threshold: isPercent(form) ? number / 100 : number,
  };
}

export function formOf(alert: Alert): AlertForm {
  const { name, figure, comparison, basis, hours, kind, key, threshold } = alert;
  const shown = isPercent(alert) ? Number((threshold * 100).toPrecision(12)) : threshold;
  return {
    name,
    figure,
    comparison,
    basis,
    hours,
    subject: kind === null || key === null ? null : `${kind}/${key}`,
    threshold: String(shown),
  };
}

/** The definitions of some kinds as options, by "missions/welcome". */
export const definitionOptions = (catalogue: Answers["definitions"]["catalogue"] | undefined, kinds: readonly Kind[]) =>
  kinds.flatMap((kind) => {
    const { one, icon: Icon } = KIND_SCREENS[kind];
    const named = catalogue === undefined ? [] : entriesOf(catalogue, kind);
    return named.map(({ key, name }) => ({ value: `${kind}/${key}`, label: name, hint: `${one} · ${key}`, icon: <Icon /> }));
  });

/** Alerts that most projects want, ready to be adjusted. */
export const PRESETS: readonly { id: string; label: string; form: AlertForm }[] = [
  preset("points", "Points granted: far above usual", { figure: "PointsGranted", basis: "Usual", threshold: "3" }),
  preset("completions", "Completions of a mission: far above usual", { figure: "Completions", basis: "Usual", threshold: "3" }),
  preset("purchases", "Purchases: far above usual", { figure: "Purchases", basis: "Usual", threshold: "3" }),
  preset("outstanding", "Points outstanding: above a value", { figure: "PointsOutstanding", threshold: "1000000" }),
  preset("stopped", "Events stopped arriving", { figure: "Events", comparison: "Below", threshold: "1", hours: 3 }),
  preset("refused", "Purchases refused: above half", { figure: "RefusedShare", threshold: "50", hours: 3 }),
  preset("deliveries", "Webhook deliveries failing: above half", { figure: "DeliveriesFailedShare", threshold: "50" }),
];

function preset(id: string, label: string, form: Partial<AlertForm>) {
  const base = {
    name: label.split(":")[0]!,
    figure: "Events",
    comparison: "Above",
    basis: "Bound",
    hours: 1,
    subject: null,
    threshold: "",
  };
  return { id, label, form: { ...base, ...form } as AlertForm };
}
