import { ORPCError, os, ValidationError } from "@orpc/server";
import { z } from "zod";
import { type Database, selectNow } from "../../db/client.ts";
import { type Access, findAccess } from "../people/identity/find-access.ts";
import type { Person } from "../people/identity/sessions.ts";
import { findEnvironment } from "../people/projects/environments.ts";
import { selectIsLiveGuarded } from "../people/projects/store/projects.ts";
import { type EnvironmentKind, type Actor, COMMAND_LINE, isAtLeast, lower, type Role } from "../model/kernel/environment.ts";
import { MAX_LISTED } from "../model/kernel/problem.ts";
import { isJsonObject } from "../model/kernel/values.ts";
import { requestTexts } from "../model/contract/rpc.ts";
import type { Mailer } from "../model/identity/mails.ts";
import { roleInTests } from "../model/projects/settings.ts";
import { boundedRole, type CallingToken, type TokenBounds } from "../model/tokens/token.ts";
import type { SecretCipher } from "../model/webhooks/secret-cipher.ts";
import { callerOf, type Credentials, isOutdated } from "./caller.ts";
import { sentencesOf } from "./problems.ts";
import { type Cost, CostlyCalls } from "./costly-calls.ts";

/**
 * The personal tokens that may call a procedure: none (it grants access or is about a user's account, and requires a session), unbound ones
 * (it reaches both environments), or any, in its own environment. Of these, a token for tests may call only those with `any`, and only for
 * the Sandboxes of test projects; in its own project it may call only those with `tests`, which accept no other token.
 */
export type TokenUse = "none" | "ofBothEnvironments" | "any" | "tests";

interface Tokens {
  /** A function if it depends on the input, which is not validated yet. */
  tokens: TokenUse | ((input: unknown) => TokenUse);
}

interface Options {
  /** Bytes of the largest body; ORDINARY_BODY if left out. */
  largestBody?: number;
  /** Whether a call that succeeds wakes the worker of this process. */
  wakes?: boolean;
}

interface Proofs {
  /** Whether a signed-in person must have given their password or a code within the last hour. Tokens have their own bounds. */
  isSensitive?: boolean;
  /** Whether it is open to people who still have to set up a second factor. */
  isBeforeFactor?: boolean;
}

/** Who may call a procedure. */
type Permission = ({ scope: "person"; role: null } | { scope: "project" | "environment"; role: Role }) & Tokens & Proofs;

/** What the guard and the edge know of a procedure. */
export type DashboardMeta = Permission & Options & { cost: Cost };

/** The limit of a call's body in bytes; screens send some hundreds. */
export const ORDINARY_BODY = 256 * 1024;

/** For calls with a whole definition or image. */
export const DEFINITION_BODY = 2 * 1024 * 1024;

/** For calls with a whole definitions file. */
export const FILE_BODY = 4 * 1024 * 1024;

/** The process's dependencies and the caller, for the dashboard's procedures. */
export interface DashboardContext extends Credentials {
  database: Database;
  /** The public address, without a trailing slash. */
  baseUrl: string;
  allowPrivateAddresses: boolean;
  /** Encrypts and decrypts the signing secrets of webhooks. */
  cipher: SecretCipher;
  /** Sends mail; left out if no mail server is configured. */
  mailer?: Mailer;
  /** Tells this process's worker that there is work. */
  wake(): void;
  /** Set by the command line beside the database, and by nothing that answers requests. */
  isOperator?: true;
}

/**
 * Added by the guard: the caller and what they may see. Environment and project are present as far as the procedure's scope needs them; a
 * project-wide procedure has the Sandbox, which stands for what both environments share.
 */
interface Granted extends Omit<Access, "testOf"> {
  /** Has a session if the procedure takes no tokens. */
  person: Person;
  actor: Actor;
  /** The caller's token; null for a session. */
  token: CallingToken | null;
  /** The role for this call: that in its environment, the lower one for a call that writes both, else the one in the Sandbox. */
  role: Role;
}

const costlyCalls = new CostlyCalls();

/** What a handler gets besides its input. */
export type CallContext = DashboardContext & Granted;

/**
 * The guard, which runs before every procedure: identifies the caller in the database, compares their role with the procedure's, and limits
 * costly calls per user. Callers without access get "not found" rather than "forbidden". Only then the input is validated.
 */
const guarded = os
  .$context<DashboardContext>()
  .$meta<DashboardMeta>({ scope: "person", role: null, tokens: "none", cost: "costly" })
  .use(async ({ context, next, procedure }, input: unknown) => {
    const { meta } = procedure["~orpc"];
    const grant = () =>
      context.isOperator ? grantOperator(context.database, meta, input) : grantAccess(context.database, context, meta, input);
    const first = await grant();
    const grantedAt = performance.now();
    const answer = await costlyCalls.run(first.person.userId, meta.cost, async () => {
      const granted = isOutdated(grantedAt) ? await grant() : first;
      const request = requestTexts.safeParse(isJsonObject(input) ? input["request"] : undefined);
      const asking = request.success ? { ...granted, actor: { ...granted.actor, request: request.data } } : granted;
      return inWords(input, () => next({ context: asking }));
    });
    if (meta.wakes === true) context.wake();
    return answer;
  });

/** Runs a procedure; an invalid input is refused in sentences. */
async function inWords<Answer>(input: unknown, run: () => Answer | PromiseLike<Answer>): Promise<Answer> {
  try {
    return await run();
  } catch (error) {
    if (!(error instanceof ORPCError && error.cause instanceof ValidationError)) throw error;
    const { issues } = error.cause;
    const problems = sentencesOf(issues.slice(0, MAX_LISTED) as z.core.$ZodIssue[], input);
    const more = issues.length > MAX_LISTED ? ` (${issues.length - MAX_LISTED} more problems are not listed.)` : "";
    throw new ORPCError("BAD_REQUEST", { message: `${problems[0]}${more}`, data: { problems } });
  }
}

/**
 * A procedure answers with its handler's result, unchecked: handlers name every column. If an answer could include secrets, `output` lists
 * its members as well, and all others are dropped.
 */
const procedure =
  (meta: DashboardMeta) =>
  <Input extends z.ZodType, Answer>(
    input: Input,
    handler: (input: z.output<Input>, context: CallContext) => Answer | Promise<Answer>,
    output: z.ZodType<Answer> = UNCHECKED as z.ZodType<Answer>,
  ) =>
    guarded
      .meta(meta)
      .input(input)
      .output(output)
      .handler(({ input, context }) => handler(input as z.output<Input>, context));

const UNCHECKED: z.ZodType = z.custom();

/** For every caller, whatever their role. */
export const forPerson = (cost: Cost, options: Tokens & Proofs) => procedure({ scope: "person", role: null, cost, ...options });

/** About a project: the input has `project`, and the caller needs at least that role there. */
export const forProject = (role: Role, cost: Cost, options: Tokens & Proofs) => procedure({ scope: "project", role, cost, ...options });

/** About an environment: the input has `project` and `environment`. */
export const forEnvironment = (role: Role, cost: Cost, { tokens = "any", ...options }: Partial<Tokens> & Options & Proofs = {}) =>
  procedure({ scope: "environment", role, tokens, cost, ...options });

/** The input of procedures that need none. */
export const NOTHING = z.unknown();

/** The caller, and what they may see; an `input` names the project and the environment. Throws an ORPCError on refusal. */
export async function grantAccess(database: Database, credentials: Credentials, meta: Permission, input: unknown): Promise<Granted> {
  const granted = (await callerOf(database, credentials)) as Pick<Granted, "person" | "actor" | "token">;
  const { person, token } = granted;
  if (token !== null) mustBeWithin(token, meta, input);
  else mustBeProven(person, meta);
  if (meta.scope === "person") return granted as Granted;
  const access = await accessIn(database, person, input, meta.scope === "environment");
  if (token?.environment === "tests" && meta.tokens !== "tests") mustBeTestOf(token, access);
  if (access === null) throw new ORPCError("NOT_FOUND", { message: "There is no such project among yours." });
  const own = (kind: EnvironmentKind): Role => {
    const bounded = boundedRole(access.roles[kind], token);
    // Procedures that refuse tokens grant access: in a test project too, they need the user's own role.
    return access.testOf === null || meta.tokens === "none" ? bounded : roleInTests(boundedRole(access.roles.sandbox, token));
  };
  const roles = { sandbox: own("sandbox"), live: own("live") };
  const role = useOf(meta, input) === "ofBothEnvironments" ? lower(roles.sandbox, roles.live) : roles[access.environment.kind];
  if (!isAtLeast(role, meta.role)) {
    const where = roles.sandbox === roles.live ? "" : role === roles.live ? " in Live" : " in the Sandbox";
    const has = token === null ? `yours${where} is ${role}` : `this token has ${role}${where}`;
    const who = meta.role === "Owner" ? "an Owner" : "an Admin or Owner";
    throw new ORPCError("FORBIDDEN", { message: `This needs the ${meta.role} role; ${has}. Ask ${who}.` });
  }
  return { ...granted, ...access, role, roles };
}

/**
 * The operator at the command line beside the database may do everything in every project, archived ones included, except for what is
 * about a user. Throws OperatorError for an unknown project.
 */
async function grantOperator(database: Database, { scope, tokens }: Permission, input: unknown): Promise<Granted> {
  if (scope === "person" || tokens === "none") throw new ORPCError("FORBIDDEN", { message: "This is for people who are signed in." });
  const { project, environment: named } = isJsonObject(input) ? input : {};
  const kind = scope === "environment" && named === "live" ? "live" : "sandbox";
  const environment = await findEnvironment(database, String(project), kind);
  const now = (await selectNow(database.sql)) + environment.clockOffsetMs;
  const roles = { sandbox: "Owner", live: "Owner" } as const;
  const isLiveGuarded = await selectIsLiveGuarded(database.sql, environment.projectId);
  return {
    person: OPERATOR,
    actor: COMMAND_LINE,
    token: null,
    role: "Owner",
    roles,
    // The operator is no second person: their changes to Live wait for a member's approval.
    mayApprove: { sandbox: false, live: false },
    isLiveGuarded,
    projectName: environment.projectSlug,
    environment,
    now,
  };
}

const OPERATOR: Person = { sessionId: "", userId: "", email: COMMAND_LINE.name, isProofOld: false, isFactorDue: false };

/** The code of refusals on which the dashboard offers to set up a second factor. */
const FACTOR_DUE = "SECOND_FACTOR_DUE";

/**
 * Throws unless a session's user has set up the second factor required of them and, for a sensitive call, proved their identity recently.
 */
function mustBeProven({ isFactorDue, isProofOld }: Person, { isBeforeFactor = false, isSensitive = false }: Proofs): void {
  if (isFactorDue && !isBeforeFactor)
    throw new ORPCError(FACTOR_DUE, { status: 403, message: "Set up a second factor first: your organization requires one." });
  if (isProofOld && isSensitive) throw unconfirmed("this needs your password or a code again");
}

/** On this refusal the dashboard offers to confirm the identity. */
export const unconfirmed = (need: string) =>
  new ORPCError("CONFIRM_IDENTITY", { status: 403, message: `Confirm that it is you: ${need}.` });

const useOf = ({ tokens }: Permission, input: unknown): TokenUse => (typeof tokens === "function" ? tokens(input) : tokens);

/** Checks a call against its token's bounds. The answer is the same whether or not the project exists. */
function mustBeWithin(token: TokenBounds, meta: Permission, input: unknown): void {
  const forbidden = (message: string) => new ORPCError("FORBIDDEN", { message });
  const { scope } = meta;
  const use = useOf(meta, input);
  if (use === "none") throw forbidden("No token opens this: it is for people who are signed in.");
  if (scope === "person") return;
  const { project, environment } = isJsonObject(input) ? input : {};
  if (token.environment === "tests" && use !== "tests") {
    // Only the database knows which project this is (`mustBeTestOf`).
    if (environment === "live" || use === "ofBothEnvironments") throw forbidden(FOR_TESTS);
    return;
  }
  if (project !== token.projectSlug) throw forbidden(`This token is for the project ${token.projectSlug} alone.`);
  if (use === "tests" && token.environment !== "tests") throw forbidden("This takes a token for tests, or a person who is signed in.");
  if (token.environment === null || token.environment === "tests") return;
  const own = token.environment === "live" ? "Live" : "the Sandbox";
  if (use === "ofBothEnvironments") throw forbidden(`This reaches both environments, and the token is for ${own} alone.`);
  if (scope === "environment" && environment !== token.environment) throw forbidden(`This token is for ${own} alone.`);
}

const FOR_TESTS = "This token is for the Sandboxes of test projects alone; this reaches something else, or the test project was removed.";

/** Restricts a token for tests to the test projects of its project. */
function mustBeTestOf({ projectSlug }: TokenBounds, access: Access | null): void {
  if (access?.testOf !== projectSlug) throw new ORPCError("FORBIDDEN", { message: FOR_TESTS });
}

/** The person's access to the project that the input names; null if they have none, or there is no such project. */
async function accessIn(database: Database, person: { userId: string }, input: unknown, namesEnvironment: boolean): Promise<Access | null> {
  const { project, environment } = isJsonObject(input) ? input : {};
  const kind = namesEnvironment ? environment : "sandbox";
  return typeof project === "string" && isKind(kind) ? findAccess(database, person, project, kind) : null;
}

const isKind = (kind: unknown): kind is EnvironmentKind => kind === "sandbox" || kind === "live";
