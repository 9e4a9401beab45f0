// Writes docs/testing.openapi.json, the calls that a testing kit in any language makes, from the shapes that the service checks them by:
// node scripts/testing-openapi.mjs (--print prints it). A test compares the two, and checks real answers against the document.
import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { z } from "zod";
import packageJson from "../package.json" with { type: "json" };
import { NOTHING } from "../server/api/access.ts";
import { dashboardRouter } from "../server/api/rpc/router.ts";

const FILE = new URL("../docs/testing.openapi.json", import.meta.url);

const problems = z.array(z.looseObject({ pointer: z.string(), message: z.string() }));
const count = z.int().min(0);

/** Each call with its purpose, and the part of its response that a kit may rely on. */
const CALLS = {
  "projects/me": ["The project that the token belongs to", { projects: z.array(z.looseObject({ slug: z.string() })) }],
  "testProjects/create": [
    "Makes a test project for that project; `problems` if it cannot be made",
    { slug: z.string().optional(), problems: problems.optional() },
  ],
  "keys/create": ["An API key for /v1", { key: z.string() }],
  "definitions/importFile": ["Imports a definitions file, unless there are problems", { problems, changes: z.array(z.unknown()) }],
  "work/settled": [
    "Answers once everything accepted before has been applied",
    { isSettled: z.boolean(), facts: count, fills: count, deliveries: count, quarantined: count },
  ],
  "work/moveClock": ["Moves the clock, and does what falls due on the way", { now: z.iso.datetime() }],
  "work/reset": ["Deletes players, events and all that came of them", null],
  "webhooks/listen": [
    "Signed copies of the webhooks; first with `start`",
    {
      secret: z.string(),
      copies: z.array(z.looseObject({ id: z.string(), event: z.string(), headers: z.record(z.string(), z.string()), body: z.string() })),
    },
  ],
  "testProjects/remove": ["Removes a test project with all its data", null],
};

/** The JSON Schema of a shape, without the members for change requests: a test project requires no approvals. */
function schemaOf(shape, io) {
  const override = ({ jsonSchema }) => ["request", "onlyAsRequest"].forEach((name) => delete jsonSchema.properties?.[name]);
  const { $schema: _, ...schema } = z.toJSONSchema(shape, { io, override, unrepresentable: "any" });
  return schema;
}

/** Both directions are wrapped in "json"; an empty answer is an empty object. */
const wrapped = (schema, required = ["json"]) => ({
  "application/json": { schema: { type: "object", properties: { json: schema }, required } },
});

function inputOf(procedure) {
  const [domain, name] = procedure.split("/");
  const { inputSchema } = dashboardRouter[domain][name]["~orpc"];
  return inputSchema === NOTHING ? z.object({}) : inputSchema;
}

const operationOf = ([procedure, [summary, answer]]) => ({
  operationId: procedure.replace("/", "_"),
  summary,
  requestBody: { required: true, content: wrapped(schemaOf(inputOf(procedure), "input")) },
  responses: {
    200: {
      description: "Done",
      content: answer === null ? wrapped({}, []) : wrapped(schemaOf(z.looseObject(answer), "output")),
    },
    default: { description: "Refused", content: wrapped(schemaOf(z.looseObject({ message: z.string() }), "output")) },
  },
});

const document = {
  openapi: "3.1.1",
  info: {
    title: "Testing with the engagement service",
    version: packageJson.version,
    description: "What a testing kit calls with a token for tests. docs/testing.md tells how; /v1 has a document of its own.",
  },
  servers: [{ url: "http://localhost:3000" }],
  security: [{ tokenForTests: [] }],
  paths: Object.fromEntries(Object.entries(CALLS).map((call) => [`/rpc/${call[0]}`, { post: operationOf(call) }])),
  components: { securitySchemes: { tokenForTests: { type: "http", scheme: "bearer", description: "`svc_pat_…`, for test projects" } } },
};

const oxfmt = fileURLToPath(new URL("../node_modules/.bin/oxfmt", import.meta.url));
const written = execFileSync(oxfmt, ["--stdin-filepath", fileURLToPath(FILE)], { input: JSON.stringify(document), encoding: "utf8" });
if (process.argv.includes("--print")) process.stdout.write(written);
else writeFileSync(FILE, written);
