import type { Database } from "#db/client.ts";
import * as store from "./store.ts";

/** All projects in order of creation, including archived ones, without test projects. */
export const listProjects = ({ sql }: Database): Promise<store.ProjectRow[]> => store.selectProjects(sql);
