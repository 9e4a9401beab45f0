import { useCallback, useEffect, useMemo, useState } from "react";
import type { Kind } from "#server/model/definitions/contract.ts";
import { writeJson } from "#server/model/kernel/json.ts";
import type { Draft } from "../document/draft.ts";
import type { Path } from "#server/model/rules/finding.ts";
import { pointerTo } from "#server/model/rules/naming.ts";
import { valueAt } from "#server/model/definitions/value-at.ts";
import { around, isWithin, pathOf, type Problem } from "../document/pointers.ts";
import { problemsOf } from "../document/problems.ts";
import { fieldsOnScreen } from "./authoring.tsx";

/** The service's findings, and the draft that they are about. */
interface Findings {
  problems: readonly Problem[];
  draft: Draft;
}

const NONE: ReadonlySet<string> = new Set();

/** A draft's problems, and which of them are shown. */
export function useProblems(kind: Kind, draft: Draft) {
  const [tried, setTried] = useState<ReadonlySet<string> | null>(null);
  const [left, setLeft] = useState(NONE);
  const [reported, tell] = useState<Findings | null>(null);
  const [places, setPlaces] = useState<readonly string[]>([]);
  useEffect(watchPress, []);

  const found = useMemo(() => problemsOf(kind, draft), [kind, draft]);
  const all = JSON.stringify(allOf(toShow(found, tried ?? NONE, left), reported === null ? [] : stillThere(reported, draft)));
  const shown = useMemo(() => JSON.parse(all) as Problem[], [all]);
  const leave = useCallback((at: Path) => {
    const place = pointerTo(at);
    whenPageMayMove(() => setLeft((before) => (before.has(place) ? before : new Set([...before, place]))));
  }, []);
  return {
    /** The problems to show at their fields; the same list while they stay the same. */
    shown,
    /** All problems shown, for the list at the top; empty until the first save attempt. */
    listed: tried !== null || reported !== null ? inOrderOf(places, shown) : [],
    /** The user has left a field: from now on its problems are shown. */
    leave,
    /** A save attempt: its problems are shown from now on. */
    showAll() {
      setTried(new Set(found.map(({ pointer }) => pointer)));
      setPlaces(fieldsOnScreen());
    },
    /** Adds the service's findings. */
    tell,
    /** After a save, only problems of visited fields are shown again. */
    reset() {
      setTried(null);
      setLeft(NONE);
    },
  };
}

/** A finding of the service remains until the value at its path changes. */
export const stillThere = ({ problems, draft }: Findings, now: Draft): Problem[] =>
  problems.filter(({ pointer }) => {
    const path = pathOf(pointer);
    return writeJson(valueAt(now, path)) === writeJson(valueAt(draft, path));
  });

/** Of the client's findings, those to show before the first save: at visited fields. */
export const whereLeft = (problems: readonly Problem[], left: ReadonlySet<string>): Problem[] =>
  problems.filter(({ pointer }) => [...left].some((place) => isWithin(pointer, place)));

/** After a save attempt, its problems are shown as well, and no others: a field added afterwards shows none until it was visited. */
export const toShow = (problems: readonly Problem[], tried: ReadonlySet<string>, left: ReadonlySet<string>): Problem[] => {
  const been = new Set(whereLeft(problems, left));
  return problems.filter((problem) => tried.has(problem.pointer) || been.has(problem));
};

/** Merges both, one for each path: the client's finding wins. */
export function allOf(found: readonly Problem[], reported: readonly Problem[]): Problem[] {
  const places = new Set(found.map(({ pointer }) => pointer));
  return [...found, ...reported.filter(({ pointer }) => !places.has(pointer))];
}

/** Problems in the order of the form's fields, each by its own or nearest ancestor's field; those without one come first. */
export function inOrderOf(places: readonly string[], problems: readonly Problem[]): Problem[] {
  const order = new Map(places.map((place, at) => [place, at]));
  const rank = (pointer: string | null): number => (pointer === null ? -1 : (order.get(pointer) ?? rank(around(pointer))));
  return problems.toSorted((one, other) => rank(one.pointer) - rank(other.pointer));
}

let isHeld = false;

/** Whether a menu or list of options is open. It follows its button, so a page that shifts would move it from under the pointer. */
const isChoosing = () => document.querySelector('[aria-haspopup][aria-expanded="true"]') !== null;

/**
 * Runs something as soon as no mouse button is pressed and no menu is open. A message shown on blur moves the page, and a press whose
 * target moves before the release is no click.
 */
function whenPageMayMove(act: () => void): void {
  if (!isHeld && !isChoosing()) return act();
  const look = () => {
    for (const type of ENDINGS) removeEventListener(type, look, true);
    // The click event follows the release.
    setTimeout(() => whenPageMayMove(act), 0);
  };
  for (const type of ENDINGS) addEventListener(type, look, true);
}

const RELEASES = ["pointerup", "pointercancel"] as const;
/** After each of these, a press or a menu may be over: a closed menu gives the focus back. */
const ENDINGS = [...RELEASES, "keyup", "focusin"] as const;

/** Tracks the mouse; returns the cleanup. */
function watchPress(): () => void {
  const press = () => void (isHeld = true);
  const release = () => void (isHeld = false);
  addEventListener("pointerdown", press, true);
  for (const type of RELEASES) addEventListener(type, release, true);
  return () => {
    removeEventListener("pointerdown", press, true);
    for (const type of RELEASES) removeEventListener(type, release, true);
    release();
  };
}
