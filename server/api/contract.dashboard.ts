import { oc } from "@orpc/contract";
import { z } from "zod";
import type { Role } from "../kernel/roles.ts";

/** What the guard has to know of a procedure: what it is about, and the least role that may call it. */
export type DashboardMeta = { scope: "person"; role: null } | { scope: "project" | "environment"; role: Role };

const begin = (meta: DashboardMeta) => oc.$meta<DashboardMeta>(meta);

/** The beginning of a contract for whoever is signed in, whatever their role. */
export const forPerson = begin({ scope: "person", role: null });

/** The beginning of a contract about a project: its input has `project`, and who calls it at least that role there. */
export const forProject = (role: Role) => begin({ scope: "project", role });

/** The beginning of a contract about an environment: its input has `project` and `environment`. */
export const forEnvironment = (role: Role) => begin({ scope: "environment", role });

/** A project's slug. */
export const inProject = z.object({ project: z.string() });

export const environmentKind = z.enum(["sandbox", "live"]);

/** A project's slug, and which of its environments. */
export const inEnvironment = inProject.extend({ environment: environmentKind });

/** RFC 3339, UTC, with milliseconds. */
export const instantText = z.string();

/** A place in a page of a list: what `next` of the page before said; null begins. */
export const cursor = z.string().nullable().default(null);

/** What is wrong with something that was sent: the pointer (RFC 6901) leads into it. */
export const problems = z.array(z.object({ pointer: z.string(), message: z.string() }));
