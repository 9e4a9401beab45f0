import { dated } from "./inputs.ts";
import { z } from "zod";
import { deleteAlert, listAlerts, previewAlert, saveAlert, switchAlert } from "../../insight/alerts/alerts.ts";
import { deleteBudget, listBudgets, saveBudget } from "../../insight/alerts/budgets.ts";
import { BUDGET_KINDS, BUDGET_MEASURES, BUDGET_PERIODS } from "../../model/alerts/budgets.ts";
import { FIGURE_NAMES } from "../../model/alerts/figures.ts";
import { inEnvironment, revision } from "../../model/contract/rpc.ts";
import { pickText, type Text } from "../../model/kernel/texts.ts";
import { forEnvironment, type CallContext } from "../access.ts";

const one = inEnvironment.extend({ id: z.uuid() });

/** The id is null for a new one. */
const edited = { id: z.uuid().nullable(), revision };

const rule = inEnvironment.extend({
  figure: z.enum(FIGURE_NAMES),
  /** The definition; null for all. */
  kind: z.string().max(100).nullable(),
  key: z.string().max(200).nullable(),
  comparison: z.enum(["Above", "Below"]),
  /** `Bound`: a value, shares from 0 to 1. `Usual`: times the mean of the same hours of the four weeks before. */
  basis: z.enum(["Bound", "Usual"]),
  threshold: z.number(),
  hours: z.int(),
});

/** The name of a definition; its key if it has none. */
const nameOf = (key: string | null, name: Text | null): string | null => (name === null ? key : pickText(name, null));

export const alertsDashboardProcedures = {
  list: forEnvironment("Viewer", "cheap")(inEnvironment, async (_, { database, environment }) => {
    const rows = await listAlerts(database, environment);
    return {
      alerts: rows.map(({ subject, subjectKey: key, subjectName, breaches: _, ...row }) => ({
        ...dated(row, "breachedAt", "checkedAt"),
        key,
        subject: subject === null ? null : { key, name: nameOf(key, subjectName) },
      })),
    };
  }),
  /** Adds an alert, or changes the one of this id. Problems have pointers into the input. */
  save: forEnvironment("Editor", "cheap")(
    rule.extend({ ...edited, name: z.string().max(1000) }),
    async (input, { database, environment, actor }) => ({ problems: await saveAlert(database, environment, input, input, actor) }),
  ),
  switch: forEnvironment("Editor", "cheap")(one.extend({ isOn: z.boolean() }), ({ id, isOn }, { database, environment, actor }) =>
    switchAlert(database, environment, id, isOn, actor),
  ),
  delete: forEnvironment("Editor", "cheap")(one, ({ id }, { database, environment, actor }) =>
    deleteAlert(database, environment, id, actor),
  ),
  /** How often it would have fired in the last 28 days. */
  preview: forEnvironment("Viewer", "costly")(rule, async (input, { database, environment, now }) => {
    const { breaches, ...preview } = await previewAlert(database, environment, { ...input, name: "" }, now);
    return { ...preview, breaches: breaches.map((breach) => dated(breach, "from", "until")) };
  }),
};

/** As with change requests, only an Owner in person goes ahead alone: no token, and not the command line beside the database. */
const by = ({ actor, role, token, isOperator }: CallContext) => ({
  actor,
  mayGoAlone: role === "Owner" && token === null && isOperator !== true,
});

export const budgetsDashboardProcedures = {
  list: forEnvironment("Viewer", "cheap")(inEnvironment, async (_, { database, environment, now }) => {
    const rows = await listBudgets(database, environment, now);
    return { budgets: rows.map(({ subjectKey: key, subjectName, ...row }) => ({ ...row, key, name: nameOf(key, subjectName) })) };
  }),
  /** Adds a budget, or changes the one of this id. Problems have pointers into the input. */
  save: forEnvironment("Editor", "cheap")(
    inEnvironment.extend({
      ...edited,
      kind: z.enum(BUDGET_KINDS),
      key: z.string().max(200),
      measure: z.enum(BUDGET_MEASURES),
      period: z.enum(BUDGET_PERIODS),
      amount: z.number(),
      switchesOff: z.boolean(),
    }),
    async (input, context) => ({ problems: await saveBudget(context.database, context.environment, input, input, by(context)) }),
  ),
  delete: forEnvironment("Editor", "cheap")(one, ({ id }, context) => deleteBudget(context.database, context.environment, id, by(context))),
};
