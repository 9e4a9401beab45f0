import type { ClientContext } from "@orpc/client";
import type { ProcedureUtils } from "@orpc/tanstack-query";
import { useQuery, type UseQueryOptions, type UseQueryResult } from "@tanstack/react-query";
import { createContext, type ReactNode, useContext, useMemo } from "react";
import type { EnvironmentKind } from "../../server/model/kernel/environment.ts";
import { isAtLeast, type Role, type RolesByEnvironment } from "../../server/model/kernel/roles.ts";
import { ClockContext } from "../components/time.tsx";
import type { Scope } from "./address.ts";

/** The current project and environment, and the user's permissions there. */
export interface Place {
  project: string;
  environment: EnvironmentKind;
  projectName: string;
  /** The user's role in each environment. */
  roles: RolesByEnvironment;
  /** The user's role in this screen's environment; on project-wide screens, in the Sandbox. */
  role: Role;
  /** Change requests of Live: whether changes need them, whether the user may decide them, and how many are waiting. */
  approvals: { isOn: boolean; mayApprove: boolean; waiting: number };
  timeZone: string;
  defaultLanguage: string;
  /** The environment's time when the page was rendered, RFC 3339. */
  now: string;
  /** Whether the Sandbox's clock is ahead of real time. */
  isClockMoved: boolean;
  /** How far the environment's clock is ahead of real time, in milliseconds. */
  clockAheadMs: number;
}

export interface Where extends Place {
  /** The part of every call's input that names the environment. */
  scope: Scope;
  can(role: Role): boolean;
  /** For what writes both environments, such as promoting. */
  canInBoth(role: Role): boolean;
  /** Whether a change of a definition here becomes a change request. */
  needsApproval: boolean;
  /** "/missions" as an address in this environment. */
  href(path: string): string;
}

const Context = createContext<Place | null>(null);

export function WhereProvider({ place, children }: { place: Place; children: ReactNode }) {
  const { timeZone, clockAheadMs: aheadMs } = place;
  const clock = useMemo(() => ({ timeZone, aheadMs }), [timeZone, aheadMs]);
  return (
    <Context.Provider value={place}>
      <ClockContext value={clock}>{children}</ClockContext>
    </Context.Provider>
  );
}

export function useWhere(): Where {
  const place = useContext(Context);
  if (place === null) throw new Error("This screen is rendered outside a project.");
  const { project, environment, role, roles } = place;
  return {
    ...place,
    scope: { project, environment },
    can: (least) => isAtLeast(role, least),
    needsApproval: place.approvals.isOn && environment === "live",
    canInBoth: (least) => isAtLeast(roles.sandbox, least) && isAtLeast(roles.live, least),
    href: (path) => `/dashboard/${project}/${environment}${path}`,
  };
}

type Besides<Input> = Omit<Input, keyof Scope>;

/** How to read it: when to refetch, whether to wait. */
type Options<Output, Failure> = Omit<UseQueryOptions<Output, Failure>, "queryKey" | "queryFn">;

/** Reads a procedure for this environment; `input` is what it takes besides project and environment. */
export function useRead<Input extends Scope, Output, Failure>(
  procedure: ProcedureUtils<ClientContext, Input, Output, Failure>,
  ...[input, options]: object extends Besides<Input>
    ? [input?: Besides<Input>, options?: Options<Output, Failure>]
    : [input: Besides<Input>, options?: Options<Output, Failure>]
): UseQueryResult<Output, Failure> {
  const { scope } = useWhere();
  const query = procedure.queryOptions({ input: { ...scope, ...input } as Input });
  return useQuery({ ...query, ...options } as UseQueryOptions<Output, Failure>);
}
