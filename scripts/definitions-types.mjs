// Writes testing/definitions-file.ts, the type of a definitions file and the webhook events in the testing kit, from the service's own:
// node scripts/definitions-types.mjs (--print prints it). A test compares the two.
import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { definitionsSchema } from "../server/api/definitions-schema.ts";
import { WEBHOOK_EVENTS } from "../server/model/webhooks/subscriptions.ts";

const FILE = new URL("../testing/definitions-file.ts", import.meta.url);

/** The generated text of the module. */
function definitionsTypes() {
  const schema = definitionsSchema();
  const { $defs } = schema;
  const { properties } = $defs.Definitions ?? schema;
  // The kit adds the version, and leaves out `$schema`, which is for editors.
  const { $schema: _, ...members } = properties;
  const parts = new Map();
  const whole = typeOf({ type: "object", properties: members }, $defs, parts);
  // The loop also visits the parts that are added while it runs.
  for (const [reference, part] of parts) part.text = typeOf($defs[reference], $defs, parts);
  const written = [
    "// Written by scripts/definitions-types.mjs.\n",
    `/** The webhook events. */\nexport const WEBHOOK_EVENTS = ${JSON.stringify(WEBHOOK_EVENTS)} as const;\n`,
    `/** The content of a definitions file. */\nexport type Definitions = ${whole};\n`,
    ...Array.from(parts.values(), ({ name, text }) => `type ${name} = ${text};\n`),
  ];
  const oxfmt = fileURLToPath(new URL("../node_modules/.bin/oxfmt", import.meta.url));
  return execFileSync(oxfmt, ["--stdin-filepath", fileURLToPath(FILE)], { input: written.join("\n"), encoding: "utf8" });
}

/** The TypeScript of a schema. Objects that several places share are named in the order in which they are met; `parts` collects them. */
function typeOf(schema, defs, parts) {
  const inner = (one) => typeOf(one, defs, parts);
  if (schema.$ref !== undefined) {
    const reference = schema.$ref.slice("#/$defs/".length);
    if (!isShared(defs[reference])) return inner(defs[reference]);
    if (!parts.has(reference)) parts.set(reference, { name: `Part${parts.size + 1}`, text: "" });
    return parts.get(reference).name;
  }
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.enum !== undefined) return schema.enum.map((one) => JSON.stringify(one)).join(" | ");
  const choices = schema.anyOf ?? schema.oneOf;
  if (choices !== undefined) {
    const types = new Set(choices.map(inner));
    return types.has("unknown") ? "unknown" : [...types].join(" | ");
  }
  if (Array.isArray(schema.type)) return schema.type.map((type) => inner({ ...schema, type })).join(" | ");
  if (schema.type === "array") return `readonly (${inner(schema.items)})[]`;
  if (schema.type === "object") return objectType(schema, inner);
  return { integer: "number", number: "number", string: "string", boolean: "boolean", null: "null" }[schema.type] ?? "unknown";
}

/** Whether a shared schema is worth a name: it contains an object with members. */
const isShared = (schema) => JSON.stringify(schema).includes('"properties"');

function objectType({ properties, required = [], additionalProperties }, inner) {
  if (properties === undefined) return `Record<string, ${additionalProperties ? inner(additionalProperties) : "unknown"}>`;
  const members = Object.entries(properties).map(([name, one]) => `${name}${required.includes(name) ? "" : "?"}: ${inner(one)};`);
  return `{ ${members.join(" ")} }`;
}

if (process.argv.includes("--print")) process.stdout.write(definitionsTypes());
else writeFileSync(FILE, definitionsTypes());
