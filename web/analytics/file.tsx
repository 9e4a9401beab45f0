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

const NUMBER = /^-?\d+(\.\d+)?$/;

/** A file of CSV, marked as UTF-8: spreadsheets garble accents otherwise. The writer is loaded with the first one. */
export async function csvOf(rows: Rows): Promise<string> {
  const { stringify } = await import("csv-stringify/browser/esm/sync");
  // Spreadsheets run cells that begin like a formula; names chosen by users must not run. A number may begin with a minus.
  const string = (value: string) => ({ value, escape_formulas: !NUMBER.test(value) });
  return stringify(rows, { cast: { string }, record_delimiter: "windows", bom: true });
}

/** Saves figures as CSV. */
export function DownloadButton({ name, rows }: DownloadProps) {
  const { project, environment } = useWhere();
  const toast = useToast();
  const save = async () => {
    try {
      const text = await csvOf(await rows());
      const words = `${project} ${environment} ${name}`.toLowerCase();
      saveBlob(`${words.replaceAll(/[^\p{L}\p{N}]+/gu, "-")}.csv`, new Blob([text], { type: "text/csv" }));
    } catch (error) {
      toast({ title: "The file could not be made", description: problemOf(error), tone: "bad" });
    }
  };
  return <IconButton size="sm" label={`Download ${name} as CSV`} icon={<Download />} onClick={() => void save()} />;
}
