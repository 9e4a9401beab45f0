import { z } from "zod";
import { ROLES } from "../kernel/roles.ts";

/** A project's slug. */
export const inProject = z.object({ project: z.string() });

export const environmentKind = z.enum(["sandbox", "live"]);

/** A project's slug and one of its environments. */
export const inEnvironment = inProject.extend({ environment: environmentKind });

/** RFC 3339, UTC, with milliseconds. */
export const instantText = z.string();

/** The cursor of a page: `next` of the previous page; null for the first page. */
export const cursor = z.string().nullable().default(null);

export const role = z.enum(ROLES);

/** A problem with sent data: the pointer (RFC 6901) leads into it. */
export const problems = z.array(z.object({ pointer: z.string(), message: z.string() }));
