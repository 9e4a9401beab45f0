import type { Database } from "../../db/client.ts";
import { type Demo, ensureDemo } from "../operations/demo/load.ts";
import { ensureFirstOwner } from "../people/identity/accounts.ts";
import type { Settings } from "./settings.ts";
import type { SecretCipher } from "../model/webhooks/secret-cipher.ts";
import { reencryptSecrets } from "../delivery/service/secrets.ts";
import { reencryptFactors } from "../people/identity/second-factor.ts";

/**
 * Creates the first owner and the demo project in an empty database. Only one of several processes does. `show` gets what is shown once as
 * soon as it exists, so that a start that ends before it serves, such as on a taken port, has shown it. Throws OperatorError.
 */
export async function prepareFirstStart(
  database: Database,
  { owner, demo }: Pick<Settings, "owner" | "demo">,
  show: (text: string) => void,
): Promise<Demo | null> {
  const signIn = await ensureFirstOwner(database, owner);
  if (signIn !== null) {
    const password = owner.password === undefined ? signIn.password : "the one in OWNER_PASSWORD";
    show(paragraphs("The first owner of the dashboard, shown this once:", rows({ "Email address": signIn.email, Password: password })));
  }
  const loaded = demo === "off" ? null : await ensureDemo(database, { isShort: demo === "short" });
  if (loaded !== null) {
    const words = "A key for the Sandbox of the demo project, a coffee shop with four weeks of customers, shown this once:";
    show(paragraphs(words, `  ${loaded.sandboxKey}`));
  }
  return loaded;
}

/** Messages for the operator about a start. */
interface Reporting {
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
}

/** Part of every start: encrypts webhook secrets and second factors under this AUTH_SECRET that are under another one, or in plain text. */
export async function keepSecretsEncrypted(database: Database, cipher: SecretCipher, reporting: Reporting): Promise<void> {
  const { count, unreadable } = await reencryptSecrets(database, cipher);
  if (count > 0) reporting.info({ count }, "the secrets of webhook endpoints are encrypted under the current AUTH_SECRET");
  if (unreadable.length > 0) {
    const words = "webhook endpoints get nothing: their secrets were encrypted under another AUTH_SECRET; set AUTH_SECRET_PREVIOUS to it, or rotate the secrets"; // oxfmt-ignore
    reporting.warn({ endpoints: unreadable }, words);
  }
  const factors = await reencryptFactors(database, cipher);
  if (factors.count > 0) reporting.info({ count: factors.count }, "second factors are encrypted under the current AUTH_SECRET");
  if (factors.unreadable.length > 0) {
    const words = "people sign in with recovery codes alone: their second factors were encrypted under another AUTH_SECRET; set AUTH_SECRET_PREVIOUS to it, or run `user reset-second-factor`"; // oxfmt-ignore
    reporting.warn({ count: factors.unreadable.length }, words);
  }
}

/** The greeting of a start in a terminal. `demo`: the project that this start has made. */
export function welcome({ baseUrl, port, pages }: Settings, demo: Demo | null, arePagesReady = true): string {
  const addresses = {
    ...(pages && { Dashboard: `${baseUrl}/dashboard`, Documentation: `${baseUrl}/docs` }),
    "API description": `${baseUrl}/v1/openapi.json`,
  };
  return paragraphs(
    `The engagement service runs at ${baseUrl}`,
    rows(addresses),
    !arePagesReady && "The dashboard and the documentation are being built; they follow in about a minute. The API answers already.",
    demo && "See how far one of the demo's customers is:",
    demo && request(`http://localhost:${port}/v1/missions`, demo.sandboxKey, { playerId: demo.playerId }),
    demo && "Add one of your own: enter a player into the missions, send an event, read the points.",
    demo && firstRequests(`http://localhost:${port}`, demo.sandboxKey),
    !demo && "Projects and keys are made in the dashboard, or on the command line: npm run cli -- --help",
  ).concat("\n");
}

const paragraphs = (...texts: (string | false | null)[]): string =>
  texts.flatMap((text) => (typeof text === "string" ? `\n${text}\n` : [])).join("");

const rows = (values: Record<string, string>): string =>
  Object.entries(values)
    .map(([name, value]) => `  ${name.padEnd(16)}  ${value}`)
    .join("\n");

/** A request that can be pasted into a shell. */
const request = (url: string, key: string, body?: object): string =>
  `  curl '${url}' -H 'Authorization: Bearer ${key}'${body ? ` -d '${JSON.stringify(body)}'` : ""}`;

function firstRequests(address: string, key: string): string {
  const event = { playerId: "zoe", event: "order_placed", occurredAt: new Date().toISOString(), properties: { amount: 4.5 } };
  return [
    request(`${address}/v1/missions`, key, { playerId: event.playerId }),
    request(`${address}/v1/events`, key, { events: [event] }),
    request(`${address}/v1/points?PlayerId=${event.playerId}`, key),
  ].join("\n");
}
