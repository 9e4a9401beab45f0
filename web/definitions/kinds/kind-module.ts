import type { LucideIcon } from "lucide-react";
import type { DashboardClient } from "#server/api/dashboard.ts";
import type { Column } from "../../components/table.tsx";
import type { Draft } from "../document/draft.ts";
import type { Problem } from "../document/pointers.ts";

/** A definition as a list has it. */
export type ListedDefinition = Awaited<ReturnType<DashboardClient["definitions"]["list"]>>["rows"][number];

/**
 * What the app says about a kind of definition. Every page of the dashboard loads all of these modules, on the server and in the
 * browser, so they import no form, no zod shape and no sentence: those belong to the form (forms/index.tsx), which is loaded later.
 */
export interface KindModule {
  /** The part of the address. */
  path: string;
  /** "mission", as it stands in a sentence. */
  one: string;
  /** "Missions", as a title. */
  many: string;
  icon: LucideIcon;
  /** Where the side bar lists it. */
  section: "Engage" | "Reward" | "Data";
  /** More words by which the palette finds its pages. */
  keywords?: string;
  /** What it is for, where there is none yet. */
  purpose: string;
  /** What is special about it in a list; name, use and change are columns of every list. */
  columns: readonly Column<ListedDefinition>[];
  /** The members that cannot change once a definition is made, besides the one it is known by; left out where all others can. */
  fixedLater?: readonly string[];
  /** What a form begins with: the defaults of the file, and the most usual choice where there is none. */
  blank(language: string): Draft;
  /** What it must name, and its shape does not ask for because that depends on another member. */
  missingChoices?(draft: Draft): Problem[];
  /** It is known by another member than a key: it has no switch, and a copy of it gets no new key. */
  isKeyless?: true;
  /** There are examples to start from. */
  hasExamples?: true;
  /** What one is called in a sentence, where its key is no name. */
  nameOf?(key: string, timeZone: string): string;
  /** How one is tried before it counts; left out where that is impossible. */
  trial?: Trial;
}

export interface Trial {
  /** What happens in it: facts count, or somebody buys. */
  of: "Facts" | "Purchase";
  /** Whether it has an audience, which a trial can leave aside and count. */
  hasAudience: boolean;
}

/** The kinds that the service can try. */
export type TriedKind = Parameters<DashboardClient["simulation"]["run"]>[0]["kind"];
