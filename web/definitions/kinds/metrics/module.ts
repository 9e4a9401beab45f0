import { Gauge } from "lucide-react";
import { blankNamed } from "../blank-parts.ts";
import { column, properties, typeWords } from "../columns.tsx";
import type { KindModule } from "../kind-module.ts";

export const metrics = {
  path: "metrics",
  one: "metric",
  many: "Metrics",
  icon: Gauge,
  section: "Data",
  keywords: "counter total sum",
  purpose: "A metric is a running total, such as money spent or steps walked. Each metric event adds to it.",
  columns: [column("metricKind", "Kind", ({ metricKind }) => typeWords(metricKind)), properties],
  fixedLater: ["kind", "properties"],
  blank: (language) => ({ ...blankNamed(language), kind: "Number", properties: [] }),
} satisfies KindModule;
