import { DefinitionLink } from "../client/links.tsx";
import { type AnalyticsSubject, useWhere } from "../client/service.tsx";
import type { Kind } from "../../server/model/definitions/contract.ts";
import { definitionPath } from "../definitions/kinds/index.ts";
import { LinkButton } from "../components/button.tsx";
import { ChoiceMenu } from "../components/choice-menu.tsx";
import { useReportView } from "./report.tsx";
import type { Figure } from "#server/model/analytics/sums.ts";

/** A definition's name; deleted ones have none. */
export const subjectName = ({ name, key, id }: AnalyticsSubject): string => name ?? key ?? `Deleted (${id})`;

export function SubjectLink({ kind, subject }: { kind: Kind; subject: AnalyticsSubject }) {
  if (subject.key === null) return <span className="text-quiet">{subjectName(subject)}</span>;
  return <DefinitionLink kind={kind} of={subject.key} className="font-normal" name={subjectName(subject)} />;
}

/** The definition that makes most of a change, for the sentence about it. */
export const partsOf = (main: { subject: AnalyticsSubject; figure: Figure } | null) =>
  main === null ? [] : [{ name: subjectName(main.subject), figure: main.figure }];

interface ChooseSubjectProps {
  kind: Kind;
  label: string;
  choices: readonly AnalyticsSubject[];
  chosen: AnalyticsSubject;
}

/** Selects the definition shown below, and links to it. */
export function ChooseSubject({ kind, label, choices, chosen: subject }: ChooseSubjectProps) {
  const { show } = useReportView();
  const { href } = useWhere();
  return (
    <div className="flex flex-wrap items-center gap-3">
      {choices.length === 1 ? (
        <h2 className="text-sm font-semibold">{subjectName(subject)}</h2>
      ) : (
        <ChoiceMenu
          label={label}
          value={subject.key}
          onValueChange={(of) => show({ of })}
          options={choices.map((one) => ({ value: one.key, label: subjectName(one) }))}
        />
      )}
      {subject.key !== null && (
        <LinkButton href={href(definitionPath(kind, subject.key))} variant="ghost">
          Open the {label.toLowerCase()}
        </LinkButton>
      )}
    </div>
  );
}
