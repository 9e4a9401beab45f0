import { Users } from "lucide-react";
import { blankNamed } from "../blank-parts.ts";
import type { KindModule } from "../kind-module.ts";

export const segments = {
  path: "segments",
  one: "segment",
  many: "Segments",
  icon: Users,
  section: "Engage",
  keywords: "group audience rule",
  purpose: "A segment is a group of players that meet a rule, such as everyone who spent 100 in the last 30 days. Audiences use it.",
  columns: [],
  blank: (language) => ({ ...blankNamed(language), rule: null }),
} satisfies KindModule;
