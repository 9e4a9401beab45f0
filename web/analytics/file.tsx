import { Download } from "lucide-react";
import { IconButton } from "../components/button.tsx";
import { problemOf } from "../components/problems.tsx";
import { useToast } from "../components/toast.tsx";
import { saveBlob } from "../client/export-href.ts";
import { useWhere } from "../client/service.tsx";

type Rows = (string | number | null)[][];

interface DownloadProps {
  /** The subject of the file: "Active players". */
  name: string;
  /** The rows of the file, the heading first. */
  rows(): Rows | Promise<Rows>;
}

/** Saves figures as CSV. The writer is loaded on the first press. */
export function DownloadButton({ name, rows }: DownloadProps) {
  const { project, environment } = useWhere();
  const toast = useToast();
  const save = async () => {
    try {
      const { stringify } = await import("csv-stringify/browser/esm/sync");
      // Spreadsheets run cells that begin like a formula; names chosen by users must not run.
      const text = stringify(await rows(), { escape_formulas: true, record_delimiter: "windows" });
      const words = `${project} ${environment} ${name}`.toLowerCase();
      saveBlob(`${words.replaceAll(/[^\p{L}\p{N}]+/gu, "-")}.csv`, new Blob([text], { type: "text/csv" }));
    } catch (error) {
      toast({ title: "The file could not be made", description: problemOf(error), tone: "bad" });
    }
  };
  return <IconButton size="sm" label={`Download ${name} as CSV`} icon={<Download />} onClick={() => void save()} />;
}
