import { availableParallelism } from "node:os";
import { z } from "zod";
import type { PoolSizes } from "../../db/pools.ts";
import { LANES_AT_ONCE } from "../model/kernel/lanes.ts";
import { OperatorError } from "../model/kernel/operator-error.ts";
import { DOMAIN_ROLES, providersOf } from "../people/identity/sign-in-providers.ts";

const flag = (on: string, off: string, whenUnset: boolean) =>
  z
    .enum([on, off], `must be ${on} or ${off}`)
    .default(whenUnset ? on : off)
    .transform((value) => value === on);

const port = z.coerce
  .number("must be a port number, 1 to 65535")
  .int("must be a whole number")
  .min(1, "must be 1 or more")
  .max(65535, "must be 65535 or less");

const withoutSlash = (text: string): string => (text.endsWith("/") ? withoutSlash(text.slice(0, -1)) : text);
/** The pool size of one kind of work (db/pools.ts). */
const poolSize = z.coerce
  .number("must be a number of connections, 2 to 500")
  .int("must be a whole number")
  .min(2, "must be 2 or more")
  .max(500, "must be 500 or less")
  .optional();

const seconds = z.coerce.number("must be a number of seconds").min(0.1, "must be 0.1 or more").max(60, "must be 60 or less");

const webAddress = z
  .url({ protocol: /^https?$/, error: "must be an address such as https://points.example.com" })
  .refine((text) => !/[?#]/.test(text), "must be an address without ? and #")
  .transform(withoutSlash);

/** A port on the loopback address, or `address:port`. */
const listenAddress = z
  .string()
  .regex(/^(\S+:)?\d{1,5}$/, "must be a port number, or an address and a port such as 0.0.0.0:9464")
  .transform((text) => {
    const at = text.lastIndexOf(":");
    return { host: at < 0 ? "127.0.0.1" : text.slice(0, at).replace(/^\[|\]$/g, ""), port: Number(text.slice(at + 1)) };
  })
  .refine((address) => address.port >= 1 && address.port <= 65535, "must have a port from 1 to 65535");

const secret = z.string().min(16, "must have at least 16 characters; `openssl rand -base64 33` gives good ones");

const credential = z.string().regex(/^[\x21-\x7e]+$/, "must be printable ASCII without spaces");

/** Exact, including a trailing slash: the provider's answers must name the same issuer. */
const issuer = z
  .url({ protocol: /^https?$/, error: "must be an address such as https://login.example.com" })
  .refine(
    (text) => /^https:|^http:\/\/(localhost|127\.0\.0\.1|\[::1\])[:/]/.test(`${text}/`),
    "must start with https:// (http:// is for localhost)",
  )
  .refine((text) => !/[?#]/.test(text), "must be an address without ? and #");

const domains = z
  .string()
  .transform((text) => text.split(",").map((domain) => domain.trim().toLowerCase()))
  .refine((names) => names.every(isDomain), "must be domains of email addresses, separated by commas, such as acme.com,acme.nl");

const isDomain = (name: string): boolean =>
  name.includes(".") && name.split(".").every((label) => /^[a-z0-9-]+$/.test(label) && !label.startsWith("-") && !label.endsWith("-"));

const mailServer = z
  .url({ protocol: /^smtps?$/, error: "must be an address such as smtps://user:password@mail.example.com?from=points@example.com" })
  .refine((text) => /^(|[^\s@]+@[^\s@]+)$/.test(URL.parse(text)?.searchParams.get("from") ?? ""), "must have an e-mail address as `from`");

/** An address of several hosts is no URL; that of the first one is. */
const urlOf = (databaseUrl: string): URL | null => URL.parse(databaseUrl.replace(/(:\/\/(?:[^@/?]*@)?[^/?,]*),[^/?]*/, "$1"));

/** Whether the driver can read it. */
function isReadable(databaseUrl: string): boolean {
  const url = urlOf(databaseUrl);
  if (url === null) return false;
  try {
    for (const part of [url.username, url.password, url.host]) decodeURIComponent(part);
    return true;
  } catch {
    return false;
  }
}

/** The values of `target_session_attrs` that the driver knows. */
const SERVERS_WANTED = ["read-write", "read-only", "primary", "standby", "prefer-standby"];

function hasKnownAttribute(databaseUrl: string): boolean {
  const wanted = urlOf(databaseUrl)?.searchParams.get("target_session_attrs");
  return !wanted || SERVERS_WANTED.includes(wanted);
}

const THREADS_WORDS = `must be a number of threads, 0 to ${LANES_AT_ONCE}`;

/** The environment variables. An empty one counts as not set. */
const VARIABLES = z.object({
  PORT: port.default(3000),
  BASE_URL: webAddress.optional(),
  DATABASE_URL: z
    .string()
    .regex(/^postgres(ql)?:\/\/./, {
      error: "must start with postgres://, such as postgres://user:password@localhost:5432/engagement",
      abort: true,
    })
    .refine(isReadable, {
      error:
        "must be a valid address: a host (also beside `?host=/folder`), the port in digits, and special characters in the password percent-encoded, such as %25 for %",
      abort: true,
    })
    .refine(hasKnownAttribute, `must have one of these as \`target_session_attrs\`, or none: ${SERVERS_WANTED.join(", ")}`)
    .optional(),
  DATA_DIR: z.string().default(".data"),
  POOL_REQUESTS: poolSize,
  POOL_DASHBOARD: poolSize,
  POOL_FACTS: poolSize,
  POOL_DELIVERIES: poolSize,
  /** How long work waits for a connection before it fails as unavailable (503). */
  POOL_WAIT_SECONDS: seconds.default(5),
  DEMO: z.enum(["on", "short", "off"], "must be on, short or off").default("on"),
  OWNER_EMAIL: z.email("must be an e-mail address").default("owner@example.com"),
  OWNER_PASSWORD: z.string().min(8, "must have at least 8 characters").optional(),
  AUTH_SECRET: secret.optional(),
  AUTH_SECRET_PREVIOUS: secret.optional(),
  AUTH_GOOGLE_ID: credential.optional(),
  AUTH_GOOGLE_SECRET: credential.optional(),
  AUTH_GITHUB_ID: credential.optional(),
  AUTH_GITHUB_SECRET: credential.optional(),
  AUTH_OIDC_ISSUER: issuer.optional(),
  AUTH_OIDC_ID: credential.optional(),
  AUTH_OIDC_SECRET: credential.optional(),
  AUTH_OIDC_NAME: z.string().max(40, "must have at most 40 characters").optional(),
  AUTH_OIDC_DOMAINS: domains.optional(),
  AUTH_OIDC_ROLE: z.enum(DOMAIN_ROLES, `must be one of ${DOMAIN_ROLES.join(", ")}`).optional(),
  TRUST_PROXY: flag("true", "false", false),
  SMTP_URL: mailServer.optional(),
  WORKER: flag("on", "off", true),
  WORKER_THREADS: z.coerce
    .number(THREADS_WORDS)
    .int(THREADS_WORDS)
    .min(0, THREADS_WORDS)
    .max(LANES_AT_ONCE, THREADS_WORDS)
    // One core is left for requests and PostgreSQL.
    .default(() => Math.min(Math.max(availableParallelism() - 1, 1), LANES_AT_ONCE)),
  PAGES: flag("on", "off", true),
  WEBHOOK_ALLOW_PRIVATE_ADDRESSES: flag("true", "false", false),
  CRON_SECRET: z
    .string()
    .min(16, "must have at least 16 characters")
    .regex(/^[\x21-\x7e]*$/, "must be printable ASCII without spaces")
    .optional(),
  OPERATIONS_PORT: listenAddress.optional(),
  /** Read by OpenTelemetry as well, with its other settings. */
  OTEL_EXPORTER_OTLP_ENDPOINT: z.url({ protocol: /^https?$/, error: "must be an address such as http://collector:4318" }).optional(),
  LOG_LEVEL: z
    .enum(["trace", "debug", "info", "warn", "error", "fatal", "silent"], "must be trace, debug, info, warn, error, fatal or silent")
    .default("info"),
});

export type Settings = ReturnType<typeof readSettings>;

/** The settings of this process; its environment is read only here. Throws OperatorError with a line for each invalid variable. */
export function readSettings(environment: Readonly<Record<string, string | undefined>> = process.env) {
  const set = Object.fromEntries(Object.entries(environment).filter(([, value]) => value !== undefined && value.trim() !== ""));
  const { success, data, error } = VARIABLES.safeParse(set);
  if (!success) throw new OperatorError(...error.issues.map(({ path, message }) => `${path.join(".")} ${message}.`));
  const providers = providersOf(data);
  return {
    port: data.PORT,
    baseUrl: data.BASE_URL ?? `http://localhost:${data.PORT}`,
    databaseUrl: data.DATABASE_URL,
    dataDir: data.DATA_DIR,
    pools: poolSizesOf(data),
    poolWaitMs: data.POOL_WAIT_SECONDS * 1000,
    demo: data.DEMO,
    owner: { email: data.OWNER_EMAIL, password: data.OWNER_PASSWORD },
    authSecret: data.AUTH_SECRET,
    previousAuthSecret: data.AUTH_SECRET_PREVIOUS,
    providers,
    trustProxy: data.TRUST_PROXY,
    smtpUrl: data.SMTP_URL,
    worker: data.WORKER,
    workerThreads: data.WORKER_THREADS,
    pages: data.PAGES,
    allowPrivateAddresses: data.WEBHOOK_ALLOW_PRIVATE_ADDRESSES,
    cronSecret: data.CRON_SECRET,
    operations: data.OPERATIONS_PORT,
    traces: data.OTEL_EXPORTER_OTLP_ENDPOINT !== undefined,
    logLevel: data.LOG_LEVEL,
    isStartedByNpm: environment["npm_lifecycle_event"] !== undefined,
  };
}

/** Whether this process runs in npx, and not in a script of npm. */
export const isRunByNpx = (): boolean => process.env["npm_lifecycle_event"] === "npx";

/** The configured sizes; db/pools.ts has the defaults. */
function poolSizesOf(data: z.infer<typeof VARIABLES>): Partial<PoolSizes> {
  const { POOL_REQUESTS: requests, POOL_DASHBOARD: dashboard, POOL_FACTS: facts, POOL_DELIVERIES: deliveries } = data;
  const sizes = { requests, dashboard, facts, deliveries };
  return Object.fromEntries(Object.entries(sizes).filter(([, size]) => size !== undefined));
}
