import { Box } from "lucide-react";
import { blankNamed } from "../blank-parts.ts";
import { column, discovered, typeWords } from "../columns.tsx";
import type { KindModule } from "../kind-module.ts";

export const attributes = {
  path: "attributes",
  one: "attribute",
  many: "Attributes",
  icon: Box,
  section: "Data",
  keywords: "trait field profile",
  purpose: "An attribute describes a player until it changes: their tier, their city, their plan.",
  columns: [column("type", "Type", ({ type }) => typeWords(type)), discovered],
  fixedLater: ["type"],
  blank: (language) => ({ ...blankNamed(language), type: "String" }),
} satisfies KindModule;
