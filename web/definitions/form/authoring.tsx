import { createContext, useContext, useSyncExternalStore } from "react";
import type { Kind } from "#server/model/definitions/contract.ts";
import { focusIn } from "../../components/focus.ts";
import type { Catalogue } from "../catalogue.ts";
import type { Draft } from "../document/draft.ts";
import type { Path } from "#server/model/rules/finding.ts";
import { pointerTo } from "#server/model/rules/naming.ts";
import { isWithin, type Problem } from "../document/pointers.ts";

/** The form's context. Its value stays the same while a field is typed in: fields subscribe to their own member of the draft. */
export interface Authoring {
  kind: Kind;
  isNew: boolean;
  /** The user has no write permission. */
  isReadOnly: boolean;
  catalogue: Catalogue;
  /** The project's languages, the default first. */
  languages: readonly string[];
  addLanguage(tag: string): void;
  store: DraftStore;
  /** The stored definition; null for a new one. */
  stored: Draft | null;
  /** The user has left a field: from now on its problems are shown. */
  leave(at: Path): void;
  /** Why a path is immutable; null if it is not. */
  fixedAt(at: Path): string | null;
}

const Context = createContext<Authoring | null>(null);
export const AuthoringProvider = Context.Provider;

export function useAuthoring(): Authoring {
  const authoring = useContext(Context);
  if (authoring === null) throw new Error("This field is rendered outside a form.");
  return authoring;
}

/** The draft of a form, outside React's state. */
export interface DraftStore {
  read(): Draft;
  /** Changes these members. */
  write(changes: Draft): void;
  subscribe(listener: () => void): () => void;
}

export function draftStore(draft: Draft): DraftStore {
  const listeners = new Set<() => void>();
  return {
    read: () => draft,
    write(changes) {
      draft = { ...draft, ...changes };
      for (const listener of listeners) listener();
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

/** The whole draft: renders on every change. */
export const useDraft = ({ subscribe, read }: DraftStore): Draft => useSyncExternalStore(subscribe, read, read);

/** A member's value and its setter. */
export function useMember<Value>(member: string): [value: Value, set: (value: Value) => void] {
  const { store } = useAuthoring();
  const read = () => store.read()[member];
  return [useSyncExternalStore(store.subscribe, read, read) as Value, (value) => store.write({ [member]: value })];
}

const ProblemsContext = createContext<readonly Problem[]>([]);
/** The problems shown; the list has to stay the same while they do. */
export const ProblemsProvider = ProblemsContext.Provider;

/** The problems to show at a path: its own, or also those inside. */
export function useProblemsAt(at: Path, isDeep = false): Problem[] {
  const place = pointerTo(at);
  return useContext(ProblemsContext).filter(({ pointer }) => (isDeep ? isWithin(pointer, place) : pointer === place));
}

/** Focuses the field of a pointer, or the nearest ancestor that the form shows. */
export function focusField(pointer: string): void {
  const place = fieldOnScreen(pointer);
  if (place !== null) focusIn(place);
}

/** Focuses the topmost field at or inside a path. */
export function focusFirstIn(at: Path): void {
  const pointer = fieldsOnScreen().find((place) => isWithin(place, pointerTo(at)));
  if (pointer !== undefined) focusField(pointer);
}

/** The paths of the form's fields, from top to bottom. */
export const fieldsOnScreen = (): string[] =>
  [...document.querySelectorAll<HTMLElement>("[data-pointer]")].map((place) => place.dataset.pointer ?? "");

/** Focuses the topmost of several fields: their order in the file is not that of the screen. */
export function focusFirst(problems: readonly Problem[]): void {
  const places = problems.map(({ pointer }) => fieldOnScreen(pointer)).filter((place) => place !== null);
  const [first] = places.sort((one, other) => (one.compareDocumentPosition(other) & Node.DOCUMENT_POSITION_PRECEDING ? 1 : -1));
  if (first !== undefined) focusIn(first);
}

function fieldOnScreen(pointer: string): HTMLElement | null {
  for (let place = pointer; place !== ""; place = place.slice(0, place.lastIndexOf("/"))) {
    const found = document.querySelector<HTMLElement>(`[data-pointer="${CSS.escape(place)}"]`);
    if (found !== null) return found;
  }
  return null;
}
