import type { DomainJoining } from "./sign-in.ts";
import { OperatorError } from "../../model/kernel/operator-error.ts";
import { type Role, ROLES } from "../../model/kernel/environment.ts";

interface Client {
  clientId: string;
  clientSecret: string;
}

/** A provider to sign in with, by the client id and client secret from its developer pages. */
export type ProviderSettings = (Client & { id: "google" | "github" }) | OidcSettings;

/** Any provider that speaks OpenID Connect. */
export interface OidcSettings extends Client {
  id: "oidc";
  issuer: string;
  /** The name on the button. */
  name: string;
  /** Null: only members and invited people may sign in. */
  joining: DomainJoining | null;
}

/** The roles that a domain may give: all but Owner, which can grant every role to others. */
export const DOMAIN_ROLES = ROLES.filter((role) => role !== "Owner");

const OIDC = ["AUTH_OIDC_ISSUER", "AUTH_OIDC_ID", "AUTH_OIDC_SECRET"] as const;

type Name = "GOOGLE_ID" | "GOOGLE_SECRET" | "GITHUB_ID" | "GITHUB_SECRET" | "OIDC_ISSUER" | "OIDC_ID" | "OIDC_SECRET" | "OIDC_NAME";
type Variables = { [K in `AUTH_${Name}`]?: string | undefined } & {
  AUTH_OIDC_DOMAINS?: readonly string[] | undefined;
  AUTH_OIDC_ROLE?: Role | undefined;
};

/** The providers whose variables are set. Throws OperatorError with a line for each incomplete set. */
export function providersOf(variables: Variables): ProviderSettings[] {
  const problems = problemsOf(variables);
  if (problems.length > 0) throw new OperatorError(...problems);
  const { AUTH_OIDC_ISSUER: issuer, AUTH_OIDC_NAME: name, AUTH_OIDC_DOMAINS: domains, AUTH_OIDC_ROLE: role = "Viewer" } = variables;
  const clientOf = (id: string | undefined, secret: string | undefined): Client[] =>
    id === undefined || secret === undefined ? [] : [{ clientId: id, clientSecret: secret }];
  return [
    ...clientOf(variables.AUTH_GOOGLE_ID, variables.AUTH_GOOGLE_SECRET).map((client) => ({ id: "google" as const, ...client })),
    ...clientOf(variables.AUTH_GITHUB_ID, variables.AUTH_GITHUB_SECRET).map((client) => ({ id: "github" as const, ...client })),
    ...clientOf(variables.AUTH_OIDC_ID, variables.AUTH_OIDC_SECRET).map((client) => ({
      id: "oidc" as const,
      ...client,
      issuer: issuer!,
      name: name ?? new URL(issuer!).host,
      joining: domains === undefined ? null : { domains, role },
    })),
  ];
}

function problemsOf(variables: Variables): string[] {
  const isSet = (name: keyof Variables) => variables[name] !== undefined;
  const incomplete = (...names: (keyof Variables)[]) =>
    names.some(isSet) && !names.every(isSet) ? [`${listed(names)} must be set together.`] : [];
  const onlyWithOidc = (["AUTH_OIDC_NAME", "AUTH_OIDC_DOMAINS", "AUTH_OIDC_ROLE"] as const).filter(isSet);
  return [
    ...incomplete("AUTH_GOOGLE_ID", "AUTH_GOOGLE_SECRET"),
    ...incomplete("AUTH_GITHUB_ID", "AUTH_GITHUB_SECRET"),
    ...incomplete(...OIDC),
    ...(OIDC.every(isSet) ? [] : onlyWithOidc.map((name) => `${name} needs ${listed(OIDC)}.`)),
    ...(isSet("AUTH_OIDC_ROLE") && !isSet("AUTH_OIDC_DOMAINS")
      ? ["AUTH_OIDC_ROLE is for people of AUTH_OIDC_DOMAINS, which is not set."]
      : []),
  ];
}

const listed = (names: readonly string[]): string => `${names.slice(0, -1).join(", ")} and ${names.at(-1)}`;
