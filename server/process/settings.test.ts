import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import type { OperatorError } from "../model/kernel/operator-error.ts";
import { readSettings } from "./settings.ts";

const problemsOf = (environment: Record<string, string>): readonly string[] => {
  try {
    readSettings(environment);
    return [];
  } catch (error) {
    return (error as OperatorError).problems;
  }
};

test("no setting is required, and an empty variable counts as not set", () => {
  for (const environment of [{}, { PORT: "", BASE_URL: " ", DATABASE_URL: "", WORKER: "" }])
    expect(readSettings(environment)).toMatchObject({
      port: 3000,
      baseUrl: "http://localhost:3000",
      databaseUrl: undefined,
      dataDir: ".data",
      pools: {},
      poolWaitMs: 5_000,
      demo: "on",
      owner: { email: "owner@example.com", password: undefined },
      authSecret: undefined,
      previousAuthSecret: undefined,
      providers: [],
      trustProxy: false,
      smtpUrl: undefined,
      worker: true,
      workerThreads: expect.any(Number),
      allowPrivateAddresses: false,
      cronSecret: undefined,
      operations: undefined,
      logLevel: "info",
    });
});

test("the public address follows the port unless it is set, and never ends in a slash", () => {
  expect(readSettings({ PORT: "8080" }).baseUrl).toBe("http://localhost:8080");
  expect(readSettings({ PORT: "8080", BASE_URL: "https://points.example.com/x/" }).baseUrl).toBe("https://points.example.com/x");
});

test("the worker has at most as many threads as lanes, and none when it runs among the requests", () => {
  expect(readSettings({ WORKER_THREADS: "0" }).workerThreads).toBe(0);
  expect(readSettings({}).workerThreads).toBeGreaterThan(0);
  for (const wrong of ["-1", "1.5", "1000", "many"])
    expect(problemsOf({ WORKER_THREADS: wrong })).toEqual([
      expect.stringMatching(/^WORKER_THREADS must be a number of threads, 0 to \d+\.$/),
    ]);
});

test("the operations port is on loopback unless an address is given", () => {
  expect(readSettings({ OPERATIONS_PORT: "9464" }).operations).toEqual({ host: "127.0.0.1", port: 9464 });
  expect(readSettings({ OPERATIONS_PORT: "0.0.0.0:9464" }).operations).toEqual({ host: "0.0.0.0", port: 9464 });
  expect(readSettings({ OPERATIONS_PORT: "[::]:9464" }).operations).toEqual({ host: "::", port: 9464 });
});

test("each kind of work may have its own pool size, and all of them another wait", () => {
  const set = { POOL_REQUESTS: "20", POOL_DASHBOARD: "3", POOL_FACTS: "8", POOL_DELIVERIES: "2", POOL_WAIT_SECONDS: "0.5" };
  expect(readSettings(set)).toMatchObject({ pools: { requests: 20, dashboard: 3, facts: 8, deliveries: 2 }, poolWaitMs: 500 });
  expect(readSettings({ POOL_FACTS: "8" }).pools).toEqual({ facts: 8 });
  for (const name of ["POOL_REQUESTS", "POOL_DASHBOARD", "POOL_FACTS", "POOL_DELIVERIES"])
    for (const wrong of ["1", "501", "2.5", "many"])
      expect(problemsOf({ [name]: wrong }), wrong).toEqual([expect.stringMatching(`^${name} must `)]);
  for (const wrong of ["0", "61", "long"])
    expect(problemsOf({ POOL_WAIT_SECONDS: wrong }), wrong).toEqual([expect.stringMatching(/^POOL_WAIT_SECONDS must /)]);
});

test("the secret of the cron routes is long enough not to be guessed, and fits a header", () => {
  expect(readSettings({ CRON_SECRET: "0123456789abcdef" }).cronSecret).toBe("0123456789abcdef");
  for (const secret of ["0123456789abcde", "0123456789 abcdef", "0123456789abcdéf"])
    expect(problemsOf({ CRON_SECRET: secret }), secret).toEqual([expect.stringMatching(/^CRON_SECRET must /)]);
});

test("a provider needs both its variables", () => {
  const google = { AUTH_GOOGLE_ID: "client", AUTH_GOOGLE_SECRET: "hidden" };
  expect(readSettings(google).providers).toEqual([{ id: "google", clientId: "client", clientSecret: "hidden" }]);
  expect(problemsOf({ AUTH_GITHUB_ID: "client" })).toEqual(["AUTH_GITHUB_ID and AUTH_GITHUB_SECRET must be set together."]);
});

test("an OpenID Connect provider needs its three variables, and admits only named domains", () => {
  const oidc = { AUTH_OIDC_ISSUER: "https://login.acme.com/realm/", AUTH_OIDC_ID: "points", AUTH_OIDC_SECRET: "hidden" };
  const provider = { id: "oidc", issuer: "https://login.acme.com/realm/", clientId: "points", clientSecret: "hidden" };
  expect(readSettings(oidc).providers).toEqual([{ ...provider, name: "login.acme.com", joining: null }]);
  const domains = { ...oidc, AUTH_OIDC_NAME: "Acme", AUTH_OIDC_DOMAINS: "Acme.com, acme.nl" };
  const joining = { domains: ["acme.com", "acme.nl"], role: "Viewer" };
  expect(readSettings(domains).providers).toEqual([{ ...provider, name: "Acme", joining }]);
  expect(readSettings({ ...domains, AUTH_OIDC_ROLE: "Editor" }).providers).toMatchObject([{ joining: { role: "Editor" } }]);
  const wrong: [Record<string, string>, string][] = [
    [{ AUTH_OIDC_ISSUER: oidc.AUTH_OIDC_ISSUER }, "AUTH_OIDC_ISSUER, AUTH_OIDC_ID and AUTH_OIDC_SECRET must be set together."],
    [{ AUTH_OIDC_NAME: "Acme" }, "AUTH_OIDC_NAME needs AUTH_OIDC_ISSUER, AUTH_OIDC_ID and AUTH_OIDC_SECRET."],
    [{ ...oidc, AUTH_OIDC_ROLE: "Viewer" }, "AUTH_OIDC_ROLE is for people of AUTH_OIDC_DOMAINS, which is not set."],
    [{ ...domains, AUTH_OIDC_ROLE: "Boss" }, "AUTH_OIDC_ROLE must be one of Admin, Editor, Support, Viewer."],
    [{ ...domains, AUTH_OIDC_ROLE: "Owner" }, "AUTH_OIDC_ROLE must be one of Admin, Editor, Support, Viewer."],
    [{ ...oidc, AUTH_OIDC_ISSUER: "http://login.acme.com" }, "AUTH_OIDC_ISSUER must start with https:// (http:// is for localhost)."],
    [{ ...oidc, AUTH_OIDC_ISSUER: "http://localhost.acme.com" }, "AUTH_OIDC_ISSUER must start with https:// (http:// is for localhost)."],
    ...["@acme.com", "acme", "acme.com,,b.com", "*.acme.com"].map((text): [Record<string, string>, string] => [
      { ...oidc, AUTH_OIDC_DOMAINS: text },
      "AUTH_OIDC_DOMAINS must be domains of email addresses, separated by commas, such as acme.com,acme.nl.",
    ]),
  ];
  for (const [environment, problem] of wrong) expect(problemsOf(environment)).toEqual([problem]);
});

test("a mail server may name the sender, which must be an address", () => {
  const smtp = (from: string) => ({ SMTP_URL: `smtps://user:hidden@mail.example.com${from}` });
  expect(readSettings(smtp("?from=points@example.com")).smtpUrl).toContain("from=");
  expect(problemsOf(smtp(""))).toEqual([]);
  expect(problemsOf(smtp("?from=nobody"))).toEqual([expect.stringMatching(/^SMTP_URL must have an e-mail address as `from`/)]);
});

test("a database's address that the driver cannot read is refused, without a word of its password", () => {
  const readable = [
    "u:p@h/d",
    "h",
    "u:p,q@a:1,b:2/d?target_session_attrs=read-write",
    "u:%25%40@h:7/d",
    "u@[::1]:7/d",
    "u@localhost/d?host=@e",
  ];
  for (const rest of readable) expect(problemsOf({ DATABASE_URL: `postgres://${rest}` }), rest).toEqual([]);
  for (const rest of ["u:p@h:port/d", "u:100%@h/d", "u:100%e4@h/d", "u:p/w@h/d", "u:p@/d?host=/folder"])
    expect(problemsOf({ DATABASE_URL: `postgres://${rest}` }), rest).toEqual([
      expect.stringMatching(/^DATABASE_URL must be a valid address: /),
    ]);
  expect(problemsOf({ DATABASE_URL: "postgres://u:p@h/d?target_session_attrs=any" })).toEqual([
    expect.stringMatching(/^DATABASE_URL must have one of these as `target_session_attrs`/),
  ]);
});

test("every invalid variable has its own line that names it", () => {
  const wrong = {
    PORT: "70000",
    BASE_URL: "points.example.com",
    DATABASE_URL: "mysql://localhost/x",
    DEMO: "yes",
    OWNER_EMAIL: "ann",
    OWNER_PASSWORD: "tooeasy",
    AUTH_SECRET: "guessable",
    AUTH_GOOGLE_ID: "with a space",
    TRUST_PROXY: "yes",
    SMTP_URL: "mail.example.com",
    WORKER: "false",
    WEBHOOK_ALLOW_PRIVATE_ADDRESSES: "1",
    CRON_SECRET: "guessable",
    OPERATIONS_PORT: "0",
    LOG_LEVEL: "loud",
  };
  const problems = problemsOf(wrong);
  expect(problems.map((line) => line.split(" ")[0])).toEqual(Object.keys(wrong));
  // Values that may hold a secret are not repeated.
  expect(problems.join()).not.toMatch(/mysql:|tooeasy|guessable/);
});

test("every setting is in the operators' table", () => {
  const read = (path: string) => readFileSync(new URL(path, import.meta.url), "utf8");
  const variables = [...read("settings.ts").matchAll(/^ {2}([A-Z][A-Z_]+):/gm)].map(([, name]) => name!);
  expect(variables.length).toBeGreaterThan(20);
  const page = read("../../docs/settings.md");
  expect(variables.filter((name) => !page.includes(`\`${name}\``))).toEqual([]);
});
