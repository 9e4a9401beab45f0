import { oc } from "@orpc/contract";
import { z } from "zod";
import { type Role, ROLES } from "../kernel/roles.ts";

/**
 * Which tokens of people may call a procedure: none (what makes access or is about a person's account is for people who are signed
 * in), those that are bound to no environment (it reaches both of them), or any, in the environment it is bound to.
 */
export type TokenUse = "none" | "ofBothEnvironments" | "any";

interface Tokens {
  /** A function where it depends on the input, which has not been checked yet. */
  tokens: TokenUse | ((input: unknown) => TokenUse);
}

interface Sizes {
  /** Bytes of the largest body; ORDINARY_BODY if left out. */
  largestBody?: number;
}

/** What the edge has to know of a procedure: what it is about, the least role that may call it, which tokens may, and how much it takes. */
export type DashboardMeta = ({ scope: "person"; role: null } | { scope: "project" | "environment"; role: Role }) & Tokens & Sizes;

/** What any call may have in its body, in bytes; screens send some hundreds. */
export const ORDINARY_BODY = 256 * 1024;

/** For calls with a whole definition or image in them. */
export const DEFINITION_BODY = 2 * 1024 * 1024;

/** For calls with a whole definitions file in them. */
export const FILE_BODY = 4 * 1024 * 1024;

const begin = (meta: DashboardMeta) => oc.$meta<DashboardMeta>(meta);

/** The beginning of a contract for whoever is asking, whatever their role. */
export const forPerson = ({ tokens }: Tokens) => begin({ scope: "person", role: null, tokens });

/** The beginning of a contract about a project: its input has `project`, and who calls it at least that role there. */
export const forProject = (role: Role, { tokens }: Tokens) => begin({ scope: "project", role, tokens });

/** The beginning of a contract about an environment: its input has `project` and `environment`. */
export const forEnvironment = (role: Role, { tokens = "any", ...sizes }: Partial<Tokens> & Sizes = {}) =>
  begin({ scope: "environment", role, tokens, ...sizes });

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

export const role = z.enum(ROLES);
/** What is wrong with a definition: a code of `server/rules/finding.ts` with what is to be known of it. */
export const finding = z.object({ code: z.string(), params: z.looseObject({}) });

/** The same at its place; the message is the sentence of the definitions file. */
export const findingAt = finding.extend({ pointer: z.string(), message: z.string() });
export const findings = z.array(findingAt);
