import type { FirstStart } from "./first-start.ts";
import type { Settings } from "./settings.ts";

/** What a start says to the person at the terminal. Secrets are in it on the first start only. */
export function welcome({ baseUrl, port, owner: { password } }: Settings, { owner, demo }: FirstStart): string {
  return [
    `The engagement service runs at ${baseUrl}`,
    rows({ "API description": `${baseUrl}/v1/openapi.json`, "Error reference": `${baseUrl}/docs/errors` }),
    owner && "The first owner, shown this once:",
    owner && rows({ "E-mail address": owner.email, Password: password === undefined ? owner.password : "the one in OWNER_PASSWORD" }),
    demo && "A key for the Sandbox of the demo project, shown this once:",
    demo && `  ${demo.sandboxKey}`,
    demo && "Try it: enter a player into the demo's missions, send an event, read the points.",
    demo && firstRequests(`http://localhost:${port}`, demo.sandboxKey),
    !demo && "Projects and keys are made on the command line: npm run cli -- --help",
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

/** Requests that can be copied into a shell as they stand. */
function firstRequests(address: string, key: string): string {
  const event = { playerId: "ann", event: "order_placed", occurredAt: new Date().toISOString(), properties: { amount: 4.5 } };
  const request = (path: string, body?: object) =>
    `  curl '${address}${path}' -H 'Authorization: Bearer ${key}'${body ? ` -d '${JSON.stringify(body)}'` : ""}`;
  return [
    request("/v1/missions", { playerId: event.playerId }),
    request("/v1/events", { events: [event] }),
    request(`/v1/points?PlayerId=${event.playerId}`),
  ].join("\n");
}
