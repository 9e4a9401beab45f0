import type { FirstStart } from "./first-start.ts";
import type { Settings } from "./settings.ts";

/** What a start says to the person at the terminal. Secrets are in it on the first start only. */
export function welcome({ baseUrl }: Settings, { owner, sandboxKey }: FirstStart): string {
  const lines = [
    "",
    `The engagement service runs at ${baseUrl}`,
    "",
    `  API description   ${baseUrl}/v1/openapi.json`,
    `  Error reference   ${baseUrl}/docs/errors`,
  ];
  if (owner)
    lines.push("", "The first owner, shown this once:", "", `  e-mail address    ${owner.email}`, `  password          ${owner.password}`);
  if (sandboxKey) lines.push("", "A key for the demo project's Sandbox, shown this once:", "", `  ${sandboxKey}`);
  return [...lines, "", ""].join("\n");
}
