"use client";

import { Lock } from "lucide-react";
import { useWhere } from "../../client/where.tsx";
import { LinkButton } from "../../components/button.tsx";
import { Notice } from "../../components/surface.tsx";
import { definitionPath, KIND_MODULES } from "../kinds/index.ts";
import { useAuthoring } from "./authoring.tsx";
import { fixedInWords } from "./fixed.ts";
import { fixedInNames, fixedLaterInNames } from "./fixed-words.ts";
import type { Known } from "./use-definition-form.ts";

/** Notes which members cannot change later, and the workaround; for a new definition before it is created. */
export function FixedNotice({ known, isStartingOver }: { known: Known | null; isStartingOver: boolean }) {
  const { kind, draft, isReadOnly } = useAuthoring();
  const { one } = KIND_MODULES[kind];
  if (isReadOnly) return null;
  if (isStartingOver) return <StartingOver kind={kind} known={known!} />;
  const later = known === null ? fixedLaterInNames(kind) : null;
  if (later !== null) {
    return (
      <p className="flex items-start gap-1.5 text-[0.8125rem] text-quiet">
        <Lock className="mt-0.5 size-3.5 shrink-0" aria-hidden />
        <span>
          Can&apos;t be changed once the {one} is created: {later}.
        </span>
      </p>
    );
  }
  const names = known === null ? null : fixedInNames(fixedInWords(known.fixed), draft);
  return names === null ? null : <Fixed kind={kind} known={known!} names={names} />;
}

interface KnownProps {
  kind: ReturnType<typeof useAuthoring>["kind"];
  known: Known;
}

function Fixed({ kind, known, names }: KnownProps & { names: string }) {
  const { href } = useWhere();
  const { one, path } = KIND_MODULES[kind];
  const isUnmet = known.removal.allowed;
  return (
    <Notice
      tone="neutral"
      title={`Can't be changed: ${names}.`}
      action={
        isUnmet ? (
          <LinkButton size="sm" href={`${href(definitionPath(kind, known.key))}/edit?start=over`}>
            Start over
          </LinkButton>
        ) : (
          <LinkButton size="sm" href={href(`/${path}/new?from=${encodeURIComponent(known.key)}`)}>
            Duplicate under a new key
          </LinkButton>
        )
      }
    >
      {isUnmet
        ? `No player has met this ${one} yet and nothing uses it. Start over to change everything but its key.`
        : `Make a copy to change these, and switch this ${one} off.`}
    </Notice>
  );
}

function StartingOver({ kind, known }: KnownProps) {
  const { href } = useWhere();
  const { one } = KIND_MODULES[kind];
  return (
    <Notice
      tone="warn"
      title="You are starting over"
      action={
        <LinkButton size="sm" href={`${href(definitionPath(kind, known.key))}/edit`}>
          Keep the old one
        </LinkButton>
      }
    >
      Everything but the key can change. When you save, this {one} takes the place of the old one. Until then nothing is deleted.
    </Notice>
  );
}
