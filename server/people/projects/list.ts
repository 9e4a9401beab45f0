import type { Database } from "#db/client.ts";
import * as store from "./store.ts";

/** Every project of people, archived ones too, in order of creation. */
export const listProjects = ({ sql }: Database): Promise<store.ProjectRow[]> => store.selectProjects(sql);
