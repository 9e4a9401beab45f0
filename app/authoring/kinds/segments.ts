import { Users } from "lucide-react";
import { blankNamed } from "./blank-parts.ts";
import type { KindModule } from "./kind-module.ts";

export const segments = {
  path: "segments",
  one: "segment",
  many: "Segments",
  icon: Users,
  section: "Engage",
  keywords: "group audience rule",
  purpose: "A segment names a group of players by a rule, such as everybody who spent 100 in the last 30 days, for audiences to use.",
  columns: [],
  blank: (language) => ({ ...blankNamed(language), rule: null }),
} satisfies KindModule;
