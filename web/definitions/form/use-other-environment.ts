"use client";

import { useState } from "react";
import type { DashboardClient } from "#server/api/dashboard.ts";
import type { EnvironmentKind } from "#server/model/kernel/environment.ts";
import type { Kind } from "#server/model/definitions/contract.ts";
import { rpc } from "../../client/rpc.ts";
import { useWhere } from "../../client/where.tsx";
import type { Sent } from "../document/form-words.ts";

/** What a save would change in the other environment. */
export type OtherPreview = Awaited<ReturnType<DashboardClient["definitions"]["previewInOther"]>>;

/** A problem, with the environment in which it is one. */
export type Found = Sent & { pointer: string; environment: EnvironmentKind };

/** What the author is asked before the other environment is changed. */
export interface Question {
  preview: OtherPreview;
  /** The save that asks writes over what somebody else has saved here. */
  overwrite: boolean;
  /** The other environment was changed after an earlier question, by somebody; undefined where it was not. */
  changedBy?: string | null;
}

/** Why the other environment does not take it. */
export interface Refusal {
  problems: readonly Found[];
  exists: boolean;
}

/** What a save does about the other environment: asks what is chosen, leaves it alone, or writes over what the author has seen. */
export type OtherSave = "ask" | "leave" | { revision: string | null };

/** What looking at the other environment gives: the revision to write over, problems here, or null where the author has to answer first. */
export type Look = { revision: string | null } | { problems: Found[] } | null;

/** Whether a save is to go into the other environment too: what is chosen, asked and refused. */
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
    refuse: (problems: readonly Found[], exists: boolean) => setRefusal({ problems, exists }),
    forget() {
      setQuestion(null);
      setRefusal(null);
    },
    /** Looks at the other environment before a save. */
    async look(document: string, asking: Pick<Question, "overwrite" | "changedBy">): Promise<Look> {
      const preview = await rpc.definitions.previewInOther({ ...scope, kind, document, isNew });
      const ofHere = preview.problems.filter(({ environment }) => environment === scope.environment);
      if (ofHere.length > 0) return { problems: ofHere };
      if (preview.problems.length > 0) {
        setRefusal({ problems: preview.problems, exists: preview.exists });
        return null;
      }
      // What is new in both has nothing to overwrite, and its author has just written all of it.
      const isPlain = preview.exists ? preview.fields === 0 : isNew;
      if (isPlain) return { revision: preview.revision };
      setQuestion({ preview, ...asking });
      return null;
    },
  };
}

export type OtherEnvironment = ReturnType<typeof useOtherEnvironment>;
