import type { FirstStart } from "./first-start.ts";
import type { Settings } from "./settings.ts";

/** The greeting of a start in a terminal. It shows secrets on the first start only. */
export function welcome({ baseUrl, port, owner: { password } }: Settings, { owner, demo }: FirstStart, arePagesReady = true): string {
  return [
    `The engagement service runs at ${baseUrl}`,
    rows({ Dashboard: `${baseUrl}/dashboard`, Documentation: `${baseUrl}/docs`, "API description": `${baseUrl}/v1/openapi.json` }),
    !arePagesReady && "The dashboard and the documentation are being built; they follow in about a minute. The API answers already.",
    owner && "Sign in to the dashboard as its first owner, shown this once:",
    owner && rows({ "Email address": owner.email, Password: password === undefined ? owner.password : "the one in OWNER_PASSWORD" }),
    demo && "A key for the Sandbox of the demo project, a coffee shop with four weeks of customers, shown this once:",
    demo && `  ${demo.sandboxKey}`,
    demo && "See how far one of its customers is:",
    demo && request(`http://localhost:${port}/v1/missions`, demo.sandboxKey, { playerId: demo.playerId }),
    demo && "Add one of your own: enter a player into the missions, send an event, read the points.",
    demo && firstRequests(`http://localhost:${port}`, demo.sandboxKey),
    !demo && "Projects and keys are made in the dashboard, or on the command line: npm run cli -- --help",
  ]
    .filter((paragraph) => typeof paragraph === "string")
    .map((paragraph) => `\n${paragraph}\n`)
    .join("")
    .concat("\n");
}

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
