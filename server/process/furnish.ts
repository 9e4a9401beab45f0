import type { Database } from "../../db/client.ts";
import { importDefinitions } from "../authoring/definitions/service/import.ts";
import type { Ephemeral, EphemeralOptions } from "../cli/serve.ts";
import { OperatorError } from "../model/kernel/operator-error.ts";
import { createApiKey } from "../people/api-keys/api-keys.ts";
import { createProject } from "../people/projects/projects.ts";
import { createTokenFor } from "../people/tokens/tokens.ts";
import type { Settings } from "./settings.ts";

const PROJECT = { slug: "tests", name: "Tests", defaultLanguage: "en", timeZone: "UTC" };
const TOKEN_DAYS = 366;

/**
 * What a test needs: a token that makes test projects, and a project with a key for its Sandbox, which has the definitions. Throws
 * OperatorError if they have problems.
 */
export async function furnish(
  database: Database,
  { owner }: Settings,
  { definitions, token, key }: Pick<EphemeralOptions, "definitions" | "token" | "key">,
): Promise<Omit<Ephemeral, "url">> {
  const { sandbox } = await createProject(database, PROJECT);
  if (definitions !== undefined) {
    const result = await importDefinitions(database, sandbox, definitions.document);
    if ("problems" in result)
      throw new OperatorError(...result.problems.map(({ pointer, message }) => `${definitions.locate(pointer)}: ${message}`));
  }
  const wanted = { name: "tests", role: "Editor", environment: "tests", days: TOKEN_DAYS } as const;
  return {
    project: PROJECT.slug,
    token: await createTokenFor(database, sandbox, owner.email, wanted, token),
    key: await createApiKey(database, sandbox, "tests", undefined, key),
  };
}
