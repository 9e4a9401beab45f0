import type { LucideIcon } from "lucide-react";
import type { DashboardClient } from "#server/api/dashboard.ts";
import type { Column } from "../../components/table.tsx";
import type { Draft } from "../document/draft.ts";
import type { Problem } from "../document/pointers.ts";

/** A definition as a list row. */
export type ListedDefinition = Awaited<ReturnType<DashboardClient["definitions"]["list"]>>["rows"][number];

/**
 * The app's knowledge of a kind. Every dashboard page loads all of these modules, on the server and in the browser, so they import no form,
 * no zod shape and no sentence: those belong to the form (forms/index.tsx), which is loaded later.
 */
export interface KindModule {
  /** The path segment. */
  path: string;
  /** "mission", as it stands in a sentence. */
  one: string;
  /** "Missions", as a title. */
  many: string;
  icon: LucideIcon;
  /** Its group in the side bar. */
  section: "Engage" | "Reward" | "Data";
  /** More search terms in the palette. */
  keywords?: string;
  /** Its purpose, for the empty state. */
  purpose: string;
  /** Kind-specific list columns; every list has name, use and change. */
  columns: readonly Column<ListedDefinition>[];
  /** The members that are immutable after creation, besides the key member; left out where all others can change. */
  fixedLater?: readonly string[];
  /** A new form's initial document: the file's defaults, and the most common choice where there is none. */
  blank(language: string): Draft;
  /** Required references that the shape does not check, because they depend on another member. */
  missingChoices?(draft: Draft): Problem[];
  /** It is identified by another member than a key: it has no switch, and a copy of it gets no new key. */
  isKeyless?: true;
  /** There are examples to start from. */
  hasExamples?: true;
  /** Its name in a sentence, where its key is no name. */
  nameOf?(key: string, timeZone: string): string;
  /** How it is tried; left out where that is impossible. */
  trial?: Trial;
}

export interface Trial {
  /** What a trial simulates: facts, or a purchase. */
  of: "Facts" | "Purchase";
  /** Whether it has an audience, which a trial can ignore or count. */
  hasAudience: boolean;
}

/** The kinds with a trial. */
export type TriedKind = Parameters<DashboardClient["simulation"]["run"]>[0]["kind"];
