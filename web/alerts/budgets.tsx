"use client";

import { Ellipsis, Pencil, PiggyBank, Plus, Trash2 } from "lucide-react";
import { useState } from "react";
import { budgetInWords, usedInWords } from "../../server/model/alerts/words.ts";
import type { Kind } from "../../server/model/definitions/contract.ts";
import { orpc, rpc, useAttempt, useRead, useWhere } from "../client/service.tsx";
import { Button, IconButton, MoreLink, TextLink } from "../components/button.tsx";
import { ConfirmDialog, dialogOnceOpen, Menu } from "../components/overlay.tsx";
import { Loaded } from "../components/problems.tsx";
import { Badge, Card, EmptyState, ProgressBar } from "../components/surface.tsx";
import { definitionPath } from "../definitions/kinds/index.ts";
import type { Budget } from "./form.tsx";

const BudgetDialog = dialogOnceOpen(() => import("./budget-dialog.tsx").then((loaded) => loaded.BudgetDialog));

const REFRESH_MS = 15_000;

const useBudgets = () => useRead(orpc.budgets.list, {}, { refetchInterval: REFRESH_MS });

/** The budgets of an environment. */
export function BudgetsCard() {
  const { can } = useWhere();
  const list = useBudgets();
  const [isNew, setNew] = useState(false);
  const add = can("Editor") && (
    <Button icon={<Plus />} opens={BudgetDialog} onClick={() => setNew(true)}>
      Add budget
    </Button>
  );
  return (
    <Card
      className="mt-4"
      title="Budgets"
      description="What a mission may grant, or a listing sell. You are notified at 80% and at 100%."
      actions={list.data?.budgets.length !== 0 && add}
      padded={false}
    >
      <Loaded of={list} what="The budgets" isInset className="h-20">
        {({ budgets }) =>
          budgets.length === 0 ? (
            <EmptyState isCompact icon={<PiggyBank />} title="No budgets yet" action={add}>
              A budget notifies your team when a mission or listing has used most of its points or items. It can switch it off at 100%.
            </EmptyState>
          ) : (
            <ul aria-label="Budgets">
              {budgets.map((budget) => (
                <BudgetRow key={budget.id} budget={budget} />
              ))}
            </ul>
          )
        }
      </Loaded>
      {isNew && <BudgetDialog onClose={() => setNew(false)} />}
    </Card>
  );
}

function BudgetRow({ budget }: { budget: Budget }) {
  const { scope, can, href } = useWhere();
  const attempt = useAttempt(orpc.budgets.key());
  const [asked, setAsked] = useState<"edit" | "delete" | null>(null);
  const { id, kind, key, name, switchesOff } = budget;
  const title = name ?? "A deleted definition";
  const words = budgetInWords(budget);
  return (
    <li className="flex items-start gap-3 border-b border-line px-4 py-3 last:border-b-0">
      <div className="min-w-0 flex-1">
        <div className="flex flex-wrap items-center gap-2">
          {key === null ? (
            <span className="font-medium">{title}</span>
          ) : (
            <TextLink href={href(definitionPath(kind, key))} className="font-medium wrap-anywhere">
              {title}
            </TextLink>
          )}
          {switchesOff && <Badge>Switches off at 100%</Badge>}
          <Told budget={budget} />
        </div>
        <p className="mb-1.5 text-[0.8125rem] text-quiet">{words}</p>
        <Used budget={budget} label={`Used of the budget of ${title}`} />
      </div>
      {can("Editor") && (
        <Menu
          trigger={<IconButton size="sm" label={`Actions for the budget of ${title}, ${words}`} icon={<Ellipsis />} />}
          items={[
            ...(key === null ? [] : [{ label: "Edit", icon: <Pencil />, onSelect: () => setAsked("edit") }]),
            { label: "Delete", icon: <Trash2 />, isDanger: true, isApart: true, onSelect: () => setAsked("delete") },
          ]}
        />
      )}
      {asked === "edit" && <BudgetDialog budget={budget} onClose={() => setAsked(null)} />}
      <ConfirmDialog
        open={asked === "delete"}
        onOpenChange={(open) => setAsked(open ? "delete" : null)}
        title={`Delete the budget of ${title}?`}
        confirmLabel="Delete budget"
        isDanger
        onConfirm={() => attempt("The budget was not deleted", () => rpc.budgets.delete({ ...scope, id }), "Budget deleted")}
      >
        {words} is no longer watched. This cannot be undone.
      </ConfirmDialog>
    </li>
  );
}

function Told({ budget: { told } }: { budget: Budget }) {
  if (told === null) return null;
  return told === 100 ? <Badge tone="bad">Used up</Badge> : <Badge tone="warn">Over 80%</Badge>;
}

function Used({ budget, label }: { budget: Budget; label: string }) {
  const { used, amount, period } = budget;
  if (used === null)
    return <p className="text-xs text-quiet">{period === "All" ? "Not checked yet." : "Not checked in this period yet."}</p>;
  return (
    <>
      <ProgressBar label={label} value={used / amount} />
      <p className="mt-1 text-xs text-quiet">{usedInWords(budget, used)}</p>
    </>
  );
}

/** The budgets of one definition; nothing without one. */
export function DefinitionBudgets({ kind, definitionKey }: { kind: Kind; definitionKey: string }) {
  const { href } = useWhere();
  const { data } = useBudgets();
  const own = data?.budgets.filter((budget) => budget.kind === kind && budget.key === definitionKey) ?? [];
  if (own.length === 0) return null;
  return (
    <Card title="Budget" actions={<MoreLink href={href("/alerts")}>Budgets</MoreLink>}>
      <ul className="flex flex-col gap-3">
        {own.map((budget) => (
          <li key={budget.id}>
            <Used budget={budget} label={budgetInWords(budget)} />
          </li>
        ))}
      </ul>
    </Card>
  );
}
