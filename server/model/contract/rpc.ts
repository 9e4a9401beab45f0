import { z } from "zod";
import { ROLES } from "../kernel/environment.ts";

/** A project's slug. */
export const inProject = z.object({ project: z.string() });

export const environmentKind = z.enum(["sandbox", "live"]);

export const MAX_TITLE_LENGTH = 200;
/** The most characters of a reason or a comment. */
export const MAX_TEXT_LENGTH = 2_000;

/** The author's comment on a change that becomes a change request. */
export const requestTexts = z.object({
  title: z.string().max(MAX_TITLE_LENGTH).optional(),
  reason: z.string().max(MAX_TEXT_LENGTH).optional(),
});

/**
 * A project's slug and one of its environments. `request` is read by the guard, for every procedure that changes a definition of Live where
 * that needs an approval.
 */
export const inEnvironment = inProject.extend({ environment: environmentKind, request: requestTexts.optional() });

/** Bounds of inputs in UTF-16 units; the verbs decide what is valid. An external id or a team's name has at most 200 characters. */
export const MAX_KEY_LENGTH = 200;
export const MAX_ID_LENGTH = 400;

/** As the author of a save has read it; null overwrites any. */
export const revision = z.int().nullable().default(null);

/** RFC 3339, UTC, with milliseconds. */
export const instantText = z.string();

/** The cursor of a page: `next` of the previous page; null for the first page. */
export const cursor = z.string().nullable().default(null);

export const role = z.enum(ROLES);

/** A problem with sent data: the pointer (RFC 6901) leads into it. */
export const problems = z.array(z.object({ pointer: z.string(), message: z.string() }));
