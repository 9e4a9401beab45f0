import type { Sql, Transaction } from "../../../db/client.ts";
import type { ChangeableSettings } from "../settings.ts";

export async function selectSettings(sql: Sql, projectId: string): Promise<ChangeableSettings> {
  const [row] = await sql<ChangeableSettings[]>`
    select name, default_language as "defaultLanguage", time_zone as "timeZone" from projects where id = ${projectId}`;
  return { ...row! };
}

export async function updateSettings(
  tx: Transaction,
  projectId: string,
  { name, defaultLanguage, timeZone }: ChangeableSettings,
): Promise<void> {
  await tx`
    update projects set name = ${name}, default_language = ${defaultLanguage}, time_zone = ${timeZone} where id = ${projectId}`;
}
