import { ORPCError, os } from "@orpc/server";
import type { Database } from "../../db/client.ts";
import { type Access, findAccess } from "../people/identity/find-access.ts";
import type { Person } from "../people/identity/find-person.ts";
import type { Environment, EnvironmentKind } from "../model/kernel/environment.ts";
import { type Actor, isAtLeast, type Role } from "../model/kernel/roles.ts";
import { isJsonObject } from "../model/kernel/values.ts";
import type { Mailer } from "../model/identity/mails.ts";
import { roleInTests } from "../model/projects/test-projects.ts";
import { boundedRole, type CallingToken, type TokenBounds } from "../model/tokens/token.ts";
import type { SecretCipher } from "../model/webhooks/secret-cipher.ts";
import { callerOf, type Credentials } from "./caller.ts";
import type { DashboardMeta } from "../model/contract/rpc.ts";
import { CostlyCalls } from "./costly-calls.ts";
import { costOf } from "./costs.ts";

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
}

/** Added by the guard: the caller and what they may see. Environment and project are present as far as the contract's scope needs them. */
interface Granted {
  /** Has a session if the contract takes no tokens. */
  person: Person;
  actor: Actor;
  /** The caller's token; null for a session. */
  token: CallingToken | null;
  role: Role;
  projectName: string;
  /** For a project-wide contract: its Sandbox, which stands for everything that both environments share. */
  environment: Environment;
  /** The current time on the environment's clock, epoch milliseconds. */
  now: number;
}

const costlyCalls = new CostlyCalls();

/**
 * Runs before every procedure of the dashboard: identifies the caller in the database, compares their role with the contract's, and limits
 * costly calls per user. Callers without access get "not found" rather than "forbidden". A domain's procedures begin with
 * `implement(contract).$context<DashboardContext>().use(guard)`.
 */
export const guard = os
  .$context<DashboardContext>()
  .$meta<DashboardMeta>({ scope: "person", role: null, tokens: "none" })
  .middleware(async ({ context, next, procedure, path }, input: unknown) => {
    const granted = await grantAccess(context.database, context, procedure["~orpc"].meta, input);
    return costlyCalls.run(granted.person.userId, costOf(path), async () => next({ context: granted }));
  });

/** The caller, and what they may see; an `input` names the project and the environment. Throws an ORPCError on refusal. */
export async function grantAccess(database: Database, credentials: Credentials, meta: DashboardMeta, input: unknown): Promise<Granted> {
  const granted = (await callerOf(database, credentials)) as Pick<Granted, "person" | "actor" | "token">;
  const { person, token } = granted;
  if (token !== null) mustBeWithin(token, meta, input);
  if (meta.scope === "person") return granted as Granted;
  const access = await accessIn(database, person, input, meta.scope === "environment");
  if (token?.environment === "tests" && meta.tokens !== "tests") mustBeTestOf(token, access);
  if (access === null) throw new ORPCError("NOT_FOUND", { message: "There is no such project among yours." });
  const bounded = boundedRole(access.role, token);
  // Granting people access, which tokens never may, depends on the user's own role.
  const role = access.testOf === null || meta.tokens === "none" ? bounded : roleInTests(bounded);
  if (!isAtLeast(role, meta.role)) {
    const has = token === null ? `yours is ${role}` : `this token's is ${role}`;
    throw new ORPCError("FORBIDDEN", { message: `This needs the role ${meta.role}; ${has}. Ask an Admin or Owner.` });
  }
  return { ...granted, ...access, role };
}

/** Checks a call against its token's bounds. The answer is the same whether or not the project exists. */
function mustBeWithin(token: TokenBounds, { scope, tokens }: DashboardMeta, input: unknown): void {
  const forbidden = (message: string) => new ORPCError("FORBIDDEN", { message });
  const use = typeof tokens === "function" ? tokens(input) : tokens;
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

/** Null without access, and for an unknown project. */
async function accessIn(database: Database, person: { userId: string }, input: unknown, namesEnvironment: boolean): Promise<Access | null> {
  const { project, environment } = isJsonObject(input) ? input : {};
  const kind = namesEnvironment ? environment : "sandbox";
  return typeof project === "string" && isKind(kind) ? findAccess(database, person, project, kind) : null;
}

const isKind = (kind: unknown): kind is EnvironmentKind => kind === "sandbox" || kind === "live";
