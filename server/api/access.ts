import { ORPCError, os } from "@orpc/server";
import type { Database } from "../../db/client.ts";
import type { Environment, EnvironmentKind } from "../kernel/environment.ts";
import { type Actor, isAtLeast, type Role } from "../kernel/roles.ts";
import { isJsonObject } from "../kernel/values.ts";
import type { Mailer } from "../projects/mails.ts";
import { type Access, accessOf, findPerson, type Person } from "../projects/service.ts";
import type { DashboardMeta } from "./contract.dashboard.ts";

/** What the dashboard's procedures know of the process that runs them. */
export interface DashboardContext {
  database: Database;
  /** Of the browser's token; null for who is not signed in. */
  sessionId: string | null;
  /** The public address, without a slash at its end. */
  baseUrl: string;
  allowPrivateAddresses: boolean;
  /** Sends mail to people; left out where no mail server is set. */
  mailer?: Mailer;
  /** Tells the worker of this process that there is something to do. */
  wake(): void;
}

/** What the guard adds: who is asking, and what they may see. Environment and the rest are there as far as the contract's scope goes. */
interface Granted {
  person: Person;
  actor: Actor;
  role: Role;
  projectName: string;
  /** Of a contract about a whole project: its Sandbox, for what the two environments share. */
  environment: Environment;
  /** The present on the environment's clock, epoch milliseconds. */
  now: number;
}

/**
 * Stands before every procedure of the dashboard: who is asking is asked of the database, and their role held against the one
 * that the contract names. What a stranger may not see is not found, rather than forbidden. A domain's procedures begin with
 * `implement(contract).$context<DashboardContext>().use(guard)`.
 */
export const guard = os
  .$context<DashboardContext>()
  .$meta<DashboardMeta>({ scope: "person", role: null })
  .middleware(async ({ context, next, procedure }, input: unknown) => {
    const meta = procedure["~orpc"].meta;
    const person = context.sessionId === null ? null : await findPerson(context.database, context.sessionId);
    if (person === null) throw new ORPCError("UNAUTHORIZED", { message: "Sign in to go on." });
    const granted = { person, actor: { userId: person.userId, name: person.email } };
    if (meta.scope === "person") return next({ context: granted as Granted });
    const access = await accessIn(context.database, person, input, meta.scope === "environment");
    if (!isAtLeast(access.role, meta.role)) {
      throw new ORPCError("FORBIDDEN", { message: `This needs the role ${meta.role}; yours is ${access.role}. Ask an Admin or Owner.` });
    }
    return next({ context: { ...granted, ...access } });
  });

async function accessIn(database: Database, person: Person, input: unknown, namesEnvironment: boolean): Promise<Access> {
  const { project, environment } = isJsonObject(input) ? input : {};
  const kind = namesEnvironment ? environment : "sandbox";
  const access = typeof project === "string" && isKind(kind) ? await accessOf(database, person, project, kind) : null;
  if (access === null) throw new ORPCError("NOT_FOUND", { message: "There is no such project among yours." });
  return access;
}

const isKind = (kind: unknown): kind is EnvironmentKind => kind === "sandbox" || kind === "live";
