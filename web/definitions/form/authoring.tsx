"use client";

import { createContext, type ReactNode, useContext } from "react";
import type { Kind } from "#server/model/definitions/contract.ts";
import type { Catalogue } from "../catalogue.ts";
import type { Draft } from "../document/draft.ts";
import type { Path, Problem } from "../document/pointers.ts";

/** What every part of a form knows. */
export interface Authoring {
  kind: Kind;
  isNew: boolean;
  /** The person may look and not change. */
  isReadOnly: boolean;
  catalogue: Catalogue;
  /** The languages that texts are written in here, the project's default first. */
  languages: readonly string[];
  addLanguage(tag: string): void;
  draft: Draft;
  /** As it was read; null for a new one. */
  stored: Draft | null;
  set(member: string, value: unknown): void;
  /** The problems to show at a place: its own, or all that are in it. */
  problemsAt(at: Path, isDeep?: boolean): Problem[];
  /** Somebody has been at a place and gone on: from now on its problems are shown. */
  leave(at: Path): void;
  /** Why a place cannot change any more; null where it can. */
  fixedAt(at: Path): string | null;
}

const Context = createContext<Authoring | null>(null);

export const AuthoringProvider = ({ value, children }: { value: Authoring; children: ReactNode }) => (
  <Context.Provider value={value}>{children}</Context.Provider>
);

export function useAuthoring(): Authoring {
  const authoring = useContext(Context);
  if (authoring === null) throw new Error("This field stands in no form.");
  return authoring;
}

/** A member of the definition: its value, and how it is changed. */
export function useMember<Value>(member: string): [value: Value, set: (value: Value) => void] {
  const { draft, set } = useAuthoring();
  return [draft[member] as Value, (value) => set(member, value)];
}

/** Brings the keyboard to the field of a pointer, or to the nearest place around it that there is. */
export const focusPlace = (pointer: string): void => focusOn(placeOnScreen(pointer));

/** The places that the form shows, from top to bottom. */
export const placesOnScreen = (): string[] =>
  [...document.querySelectorAll<HTMLElement>("[data-pointer]")].map((place) => place.dataset.pointer ?? "");

/** Brings the keyboard to the topmost of several places: their order in the file is not that of the screen. */
export function focusFirst(problems: readonly Problem[]): void {
  const places = problems.map(({ pointer }) => placeOnScreen(pointer)).filter((place) => place !== null);
  const [first] = places.sort((one, other) => (one.compareDocumentPosition(other) & Node.DOCUMENT_POSITION_PRECEDING ? 1 : -1));
  focusOn(first ?? null);
}

function placeOnScreen(pointer: string): HTMLElement | null {
  for (let place = pointer; place !== ""; place = place.slice(0, place.lastIndexOf("/"))) {
    const found = document.querySelector<HTMLElement>(`[data-pointer="${CSS.escape(place)}"]`);
    if (found !== null) return found;
  }
  return null;
}

function focusOn(place: HTMLElement | null): void {
  if (place === null) return;
  const control =
    place.querySelector<HTMLElement>("input:not([type=hidden]):not([aria-hidden=true]), textarea, button, [tabindex='0']") ?? place;
  place.scrollIntoView({ block: "center" });
  control.focus({ preventScroll: true });
}
