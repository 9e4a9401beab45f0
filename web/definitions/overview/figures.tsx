import Link from "next/link";
import type { Kind } from "#server/model/definitions/contract.ts";
import type { Scope } from "../../client/scope.ts";
import { ENVIRONMENT_NAMES } from "../../components/environment-badge.tsx";
import { exactly } from "../../components/exactly.ts";
import { Definition as Term } from "../../components/surface.tsx";
import { definitionPath } from "../kinds/index.ts";
import type { Definition } from "./read-definition.ts";

interface FiguresProps {
  scope: Scope;
  kind: Kind;
  known: Definition;
  timeZone: string;
}

/** Figures of a definition, rendered on the server. */
export function DefinitionFigures({ scope, kind, known, timeZone }: FiguresProps) {
  const { key, createdAt, updatedAt, usedBy, other } = known;
  const there = ENVIRONMENT_NAMES[other.environment];
  return (
    <dl className="grid grid-cols-2 gap-x-6 gap-y-3 text-[0.8125rem] sm:grid-cols-4">
      <Term term="Created">{exactly(createdAt, timeZone)}</Term>
      <Term term="Last changed">{exactly(updatedAt, timeZone)}</Term>
      <Term term="Used by">{usedBy.length === 0 ? "Nothing" : String(usedBy.length)}</Term>
      <Term term={there}>
        {other.exists ? (
          <Link
            href={`/dashboard/${scope.project}/${other.environment}${definitionPath(kind, key)}`}
            prefetch={false}
            className="text-accent underline underline-offset-2"
          >
            {other.differs ? "Different" : "The same"}
          </Link>
        ) : (
          `Not in ${there}`
        )}
      </Term>
    </dl>
  );
}
