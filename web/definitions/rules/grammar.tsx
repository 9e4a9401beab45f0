"use client";

import type { ComponentType, ReactNode } from "react";
import type { Phrase } from "#server/model/rules/phrase.ts";
import type { Path } from "../document/pointers.ts";

export interface LeafProps<Leaf> {
  rule: Leaf;
  onChange(rule: Leaf): void;
  at: Path;
}

/** One of the things a rule can be about. */
export interface LeafKind<Rule> {
  value: string;
  label: string;
  hint?: string;
  icon: ReactNode;
  make(): Rule;
}

/** A language of rules that the builder speaks: what its leaves are, how one is edited, and how a rule reads. */
export interface Grammar<Rule extends object> {
  /** "condition", "objective" */
  noun: string;
  kinds: readonly LeafKind<Rule>[];
  /** Which of the kinds a leaf is. */
  kindOf(leaf: Rule): string;
  Leaf: ComponentType<LeafProps<Rule>>;
  phraseOf(rule: Rule): Phrase;
}
