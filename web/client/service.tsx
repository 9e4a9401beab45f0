import { type ClientContext, createORPCClient, type InferClientOutputs, ORPCError } from "@orpc/client";
import { RPCLink } from "@orpc/client/fetch";
import { SimpleCsrfProtectionLinkPlugin } from "@orpc/client/plugins";
import { createTanstackQueryUtils, OPERATION_CONTEXT_SYMBOL, type OperationContext, type ProcedureUtils } from "@orpc/tanstack-query";
import { type QueryKey, useQuery, useQueryClient, type UseQueryOptions, type UseQueryResult } from "@tanstack/react-query";
import { createContext, type ReactNode, useContext, useMemo } from "react";
import type { DashboardClient } from "../../server/api/dashboard.ts";
import { SIGNED_IN_AS } from "../../server/api/signed-in-as.ts";
import { type EnvironmentKind, isAtLeast, type Role, type RolesByEnvironment } from "../../server/model/kernel/environment.ts";
import { ClockContext } from "../components/time.tsx";
import type { Toast } from "../components/toast-host.tsx";
import type { Scope } from "./address.ts";
import { PageProof } from "./proof.ts";
import { PageSession } from "./session.ts";

const url = () => `${location.origin}/rpc`;
const plugins = [new SimpleCsrfProtectionLinkPlugin()];

/** Not wrapped in the session check, which it implements. */
const unchecked: DashboardClient = createORPCClient(new RPCLink({ url, plugins }));

export const pageSession = new PageSession(async () => (await unchecked.tokens.current()).email);

export const pageProof = new PageProof();

const link = new RPCLink<ClientContext & OperationContext>({
  url,
  plugins,
  headers: () => (pageSession.person === null ? {} : { [SIGNED_IN_AS]: encodeURIComponent(pageSession.person) }),
  interceptors: [
    ({ context, next }) => {
      const operation = context[OPERATION_CONTEXT_SYMBOL]?.type;
      return pageSession.call(() => pageProof.call(next), { isRead: operation !== undefined && operation !== "mutation" });
    },
  ],
});

/** RPC client of the dashboard's procedures in the browser. Fails with an ORPCError, whose message is meant for users. */
export const rpc: DashboardClient = createORPCClient(link);

/** The same for TanStack Query: `useQuery(orpc.definitions.list.queryOptions({ input }))`. */
export const orpc = createTanstackQueryUtils(rpc);

/** The current project and environment, and the user's permissions there. */
export interface Place {
  project: string;
  environment: EnvironmentKind;
  projectName: string;
  roles: RolesByEnvironment;
  /** The user's role in this screen's environment; on project-wide screens, in the Sandbox. */
  role: Role;
  /**
   * Change requests of Live: whether changes need them, whether the user may decide them, how many are waiting, and how many of those for an
   * approval: the others wait for their time.
   */
  approvals: { isOn: boolean; mayApprove: boolean; waiting: number; undecided: number };
  timeZone: string;
  defaultLanguage: string;
  /** The environment's time when the page was rendered, or asked again since, RFC 3339. */
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

/**
 * Runs a user's action. A failure is shown as a toast titled `failure` and rethrown, so that a confirmation dialog stays open; a success as
 * `done` says.
 */
type Attempt = <Answer>(failure: string, act: () => Promise<Answer>, done?: string | ((answer: Answer) => Toast)) => Promise<Answer>;

export const EVERYTHING: QueryKey = [];

/** Runs mutations that have no state of their own; `touches` are the queries to read again, all by default (query.tsx). */
export function useAttempt(touches: QueryKey = EVERYTHING): Attempt {
  const client = useQueryClient();
  return (failure, act, done) =>
    client
      .getMutationCache()
      .build(client, { networkMode: "always", mutationFn: act, meta: { failure, done, touches: [touches] } })
      .execute(undefined);
}

/** The path of the change request that a call became, because changes to Live need an approval; null for any other error. */
export function requestMadeBy(error: unknown): string | null {
  if (!(error instanceof ORPCError) || error.code !== "REQUESTED") return null;
  const { path } = (error.data ?? {}) as { path?: unknown };
  return typeof path === "string" ? path : null;
}

/** The answer of each procedure of the dashboard, as its handler returns it. */
export type Answers = InferClientOutputs<DashboardClient>;

export type AnalyticsReports = Answers["analytics"];
export type AnalyticsFrame = AnalyticsReports["points"]["frame"];
export type AnalyticsSubject = AnalyticsReports["streaks"]["choices"][number];
export type BoardPeriod = Answers["leaderboards"]["periods"]["periods"][number];
export type BoardRow = Answers["leaderboards"]["group"]["rows"][number];
export type Backtest = Answers["backtests"]["get"];
export type BacktestVariant = NonNullable<Backtest["result"]>["draft"];
export type DataImport = Answers["imports"]["list"]["imports"][number];
export type PlayerCompletion = Answers["players"]["completions"]["completions"][number];
export type PlayerSeen = Answers["players"]["get"];
export type PlayerStanding = Answers["players"]["standings"]["standings"][number];
export type PurchaseListed = Answers["marketplace"]["allPurchases"]["purchases"][number];
export type PurchaseSeen = Answers["marketplace"]["purchases"]["purchases"][number];
export type SegmentCount = Answers["segments"]["counts"]["counts"][number];
export type StatusOfEnvironment = Answers["status"]["read"]["environments"][number];
export type StatusOfInstallation = NonNullable<Answers["status"]["read"]["installation"]>;
export type TimelineEntry = Answers["players"]["timeline"]["entries"][number];
export type MissionStanding = Answers["simulation"]["standing"]["missions"][number];
export type Judgement = NonNullable<MissionStanding["audience"]>[number];
export type Trial = NonNullable<Answers["simulation"]["run"]["trial"]>;
export type TrialStep = Trial["steps"][number];
export type TrialLine = TrialStep["lines"][number];
