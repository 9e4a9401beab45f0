"use client";

import type { ComponentType, ReactNode } from "react";
import type { Phrase } from "#server/model/rules/phrase.ts";
import type { Path } from "../document/pointers.ts";

export interface LeafProps<Leaf> {
  rule: Leaf;
  onChange(rule: Leaf): void;
  at: Path;
}

/** A kind of rule. */
export interface LeafKind<Rule> {
  value: string;
  label: string;
  hint?: string;
  icon: ReactNode;
  make(): Rule;
}

/** A grammar of the rule builder: its kinds of leaves, their editors, and their sentences. */
export interface Grammar<Rule extends object> {
  /** "condition", "objective" */
  noun: string;
  kinds: readonly LeafKind<Rule>[];
  /** The kind of a leaf. */
  kindOf(leaf: Rule): string;
  Leaf: ComponentType<LeafProps<Rule>>;
  phraseOf(rule: Rule): Phrase;
}
