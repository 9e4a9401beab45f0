import type { Role } from "../../server/model/kernel/environment.ts";
import { Download } from "lucide-react";
import { Button } from "../components/button.tsx";
import { Menu } from "../components/overlay.tsx";
import { type ExportFormat, exportHref, saveFrom } from "./export-href.ts";
import { useWhere } from "./service.tsx";

interface Exported {
  /** As the service calls it: `/rpc/exports/<list>.csv`. */
  list: string;
  /** In front of the format, on pages with several lists. */
  label?: string;
  filters?: Record<string, string>;
}

interface ExportMenuProps {
  lists: readonly Exported[];
  /** The minimum role; others see no menu. Lists of players' data require Support. */
  role?: Role;
  size?: "sm" | "md";
}

const FORMATS: [ExportFormat, string, string][] = [
  ["csv", "CSV", "For spreadsheets"],
  ["jsonl", "JSON lines", "For programs: one entry per line"],
];

/** Export menu; files contain the whole list, streamed. */
export function ExportMenu({ lists, size, role = "Support" }: ExportMenuProps) {
  const { scope, can } = useWhere();
  if (!can(role)) return null;
  return (
    <Menu
      trigger={
        <Button size={size} icon={<Download />}>
          Export
        </Button>
      }
      items={lists.flatMap(({ list, label, filters }, group) =>
        FORMATS.map(([format, name, hint], at) => ({
          label: label === undefined ? name : `${label}, ${name}`,
          hint: label === undefined ? hint : undefined,
          isApart: group > 0 && at === 0,
          onSelect: () => void saveFrom(exportHref(scope, list, format, filters)),
        })),
      )}
    />
  );
}
