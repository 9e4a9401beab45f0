import { useState } from "react";
import { type Answers, rpc, useWhere } from "../../client/service.tsx";
import type { EnvironmentKind } from "#server/model/kernel/environment.ts";
import type { Kind } from "#server/model/definitions/contract.ts";
import type { Sent } from "../document/form-words.ts";

/** The effect of a save on the other environment. */
export type OtherPreview = Answers["definitions"]["previewInOther"];

export type SentProblem = Sent & { pointer: string; environment: EnvironmentKind };

/** The confirmation before the other environment is changed. */
export interface Question {
  preview: OtherPreview;
  /** The pending save overwrites another user's changes here. */
  overwrite: boolean;
  /** Who changed the other environment after an earlier confirmation; undefined if it did not change. */
  changedBy?: string | null;
}

/** Why the other environment rejects it. */
export interface Refusal {
  problems: readonly SentProblem[];
  exists: boolean;
}

/**
 * What a save does in the other environment: asks if it is selected, leaves it alone, or overwrites the state that the author confirmed.
 */
export type OtherSave = "ask" | "leave" | { revision: string | null };

/** The result of a preview: the revision to overwrite, problems here, or null if the author has to confirm first. */
export type PreviewResult = { revision: string | null } | { problems: SentProblem[] } | null;

/** Saving into the other environment too: selection, confirmation and rejection. */
export function useOtherEnvironment(kind: Kind, isNew: boolean) {
  const { scope } = useWhere();
  const [isChosen, setChosen] = useState(false);
  const [question, setQuestion] = useState<Question | null>(null);
  const [refusal, setRefusal] = useState<Refusal | null>(null);
  return {
    isChosen,
    question,
    refusal,
    choose(chosen: boolean) {
      setChosen(chosen);
      setRefusal(null);
    },
    refuse: (problems: readonly SentProblem[], exists: boolean) => setRefusal({ problems, exists }),
    forget() {
      setQuestion(null);
      setRefusal(null);
    },
    /** Previews the other environment before a save. */
    async look(document: string, asking: Pick<Question, "overwrite" | "changedBy">): Promise<PreviewResult> {
      const preview = await rpc.definitions.previewInOther({ ...scope, kind, document, isNew });
      const ofHere = preview.problems.filter(({ environment }) => environment === scope.environment);
      if (ofHere.length > 0) return { problems: ofHere };
      if (preview.problems.length > 0) {
        setRefusal({ problems: preview.problems, exists: preview.exists });
        return null;
      }
      // A definition that is new in both overwrites nothing, so its author need not confirm.
      const isPlain = preview.exists ? preview.fields === 0 : isNew;
      if (isPlain) return { revision: preview.revision };
      setQuestion({ preview, ...asking });
      return null;
    },
  };
}

export type OtherEnvironment = ReturnType<typeof useOtherEnvironment>;
