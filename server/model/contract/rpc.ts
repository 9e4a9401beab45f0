import { oc } from "@orpc/contract";
import { z } from "zod";
import { type Role, ROLES } from "../kernel/roles.ts";

/**
 * The personal tokens that may call a procedure: none (it grants access or is about a user's account, and requires a session), unbound ones
 * (it reaches both environments), or any, in its own environment. A token for tests may call all of these in test projects; in its own
 * project it may only call those with `tests`, which accept no other token.
 */
export type TokenUse = "none" | "ofBothEnvironments" | "any" | "tests";

interface Tokens {
  /** A function if it depends on the input, which is not validated yet. */
  tokens: TokenUse | ((input: unknown) => TokenUse);
}

interface Sizes {
  /** Bytes of the largest body; ORDINARY_BODY if left out. */
  largestBody?: number;
}

/** What the edge knows of a procedure: its scope, the minimum role, the tokens that may call it, and the size of its body. */
export type DashboardMeta = ({ scope: "person"; role: null } | { scope: "project" | "environment"; role: Role }) & Tokens & Sizes;

/** The limit of a call's body in bytes; screens send some hundreds. */
export const ORDINARY_BODY = 256 * 1024;

/** For calls with a whole definition or image. */
export const DEFINITION_BODY = 2 * 1024 * 1024;

/** For calls with a whole definitions file. */
export const FILE_BODY = 4 * 1024 * 1024;

const begin = (meta: DashboardMeta) => oc.$meta<DashboardMeta>(meta);

/** The beginning of a contract for every caller, whatever their role. */
export const forPerson = ({ tokens }: Tokens) => begin({ scope: "person", role: null, tokens });

/** The beginning of a contract about a project: its input has `project`, and the caller needs at least that role there. */
export const forProject = (role: Role, { tokens }: Tokens) => begin({ scope: "project", role, tokens });

/** The beginning of a contract about an environment: its input has `project` and `environment`. */
export const forEnvironment = (role: Role, { tokens = "any", ...sizes }: Partial<Tokens> & Sizes = {}) =>
  begin({ scope: "environment", role, tokens, ...sizes });

/** A project's slug. */
export const inProject = z.object({ project: z.string() });

export const environmentKind = z.enum(["sandbox", "live"]);

/** A project's slug and one of its environments. */
export const inEnvironment = inProject.extend({ environment: environmentKind });

/** RFC 3339, UTC, with milliseconds. */
export const instantText = z.string();

/** The cursor of a page: `next` of the previous page; null for the first page. */
export const cursor = z.string().nullable().default(null);

/** A problem with sent data: the pointer (RFC 6901) leads into it. */
export const problems = z.array(z.object({ pointer: z.string(), message: z.string() }));

export const role = z.enum(ROLES);
/** A problem with a definition: a code of `server/model/rules/finding.ts` with its parameters. */
export const finding = z.object({ code: z.string(), params: z.looseObject({}) });

/** The same with its pointer; the message is the sentence of the definitions file. */
export const findingAt = finding.extend({ pointer: z.string(), message: z.string() });
export const findings = z.array(findingAt);
