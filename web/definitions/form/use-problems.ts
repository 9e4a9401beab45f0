"use client";

import { useEffect, useState } from "react";
import type { Kind } from "#server/model/definitions/contract.ts";
import type { Draft } from "../document/draft.ts";
import { isWithin, type Path, pointerTo, type Problem } from "../document/pointers.ts";
import { problemsOf } from "../document/problems.ts";
import { placesOnScreen } from "./authoring.tsx";
import { afterPress, watchPress } from "./press.ts";
import { allOf, inOrderOf, stillTold, type Told, toShow } from "./problems-shown.ts";

interface Problems {
  /** The problems to show at a path: its own, or also those inside. */
  at(at: Path, isDeep?: boolean): Problem[];
  /** All problems shown, for the list at the top; empty until the first save attempt. */
  listed: Problem[];
  /** The user has left a field: from now on its problems are shown. */
  leave(at: Path): void;
  /** A save attempt: its problems are shown from now on. */
  showAll(): void;
  /** Adds the service's findings. */
  tell(told: Told): void;
  /** After a save, only problems of visited fields are shown again. */
  reset(): void;
}

const NONE: ReadonlySet<string> = new Set();

/** A draft's problems, and which of them are shown. */
export function useProblems(kind: Kind, draft: Draft): Problems {
  const [tried, setTried] = useState<ReadonlySet<string> | null>(null);
  const [left, setLeft] = useState<ReadonlySet<string>>(new Set());
  const [told, tell] = useState<Told | null>(null);
  const [places, setPlaces] = useState<readonly string[]>([]);
  useEffect(watchPress, []);

  const found = problemsOf(kind, draft);
  const shown = allOf(toShow(found, tried ?? NONE, left), told === null ? [] : stillTold(told, draft));
  return {
    at(at, isDeep = false) {
      const place = pointerTo(at);
      return shown.filter(({ pointer }) => (isDeep ? isWithin(pointer, place) : pointer === place));
    },
    listed: tried !== null || told !== null ? inOrderOf(places, shown) : [],
    leave(at) {
      const place = pointerTo(at);
      afterPress(() => setLeft((before) => (before.has(place) ? before : new Set([...before, place]))));
    },
    showAll() {
      setTried(new Set(found.map(({ pointer }) => pointer)));
      setPlaces(placesOnScreen());
    },
    tell,
    reset() {
      setTried(null);
      setLeft(new Set());
    },
  };
}
