import type { Database } from "#db/client.ts";
import { exportFile } from "../../authoring/definitions/service/import.ts";
import { exportTexts } from "../../authoring/definitions/service/translations-file.ts";
import { textsQuery } from "../../model/definitions/translations.ts";
import type { Environment, Role } from "../../model/kernel/environment.ts";
import { OperatorError } from "../../model/kernel/operator-error.ts";
import { CONTENT_TYPES } from "../../model/exports/format.ts";

/** A file of an environment's definitions, with a format of its own. */
export interface ExportFile {
  type: string;
  role: Role;
  scope: "environment";
  /** The end of the file's name, after project and environment. */
  suffix: string;
  /** Its text in pieces. `query` is as received. Throws OperatorError. */
  open(database: Database, environment: Environment, query: Record<string, string>): AsyncIterable<string>;
}

const ofViewer = { role: "Viewer", scope: "environment" } as const;

/** By list and format. */
export const FILES: Record<string, ExportFile> = {
  "definitions.json": {
    ...ofViewer,
    type: "application/json; charset=utf-8",
    suffix: ".json",
    open: (database, environment, { images }) => exportFile(database, environment, images === "true"),
  },
  "translations.csv": {
    ...ofViewer,
    type: CONTENT_TYPES.csv,
    suffix: "-translations.csv",
    open(database, environment, query) {
      const { missing, languages = "", ...given } = query;
      const tags = languages.split(",").filter((tag) => tag !== "");
      const parsed = textsQuery.safeParse({ ...given, missing: missing === "true", languages: tags });
      if (!parsed.success) throw new OperatorError("Not a valid filter of the texts.");
      return exportTexts(database, environment, parsed.data);
    },
  },
};
