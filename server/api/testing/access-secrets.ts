import { randomBytes } from "node:crypto";
import { device, MAKERS, type World } from "./access-world.ts";

/** The columns whose values no answer may carry, as they are or encoded. */
export const SECRETS = [
  "accounts.provider_account_id",
  "api_keys.hash",
  "invitations.token_hash",
  "notice_channels.secret",
  "notice_channels.url",
  "password_resets.token_hash",
  "personal_tokens.hash",
  "recovery_codes.hash",
  "remembered_devices.token_hash",
  "second_factors.pending_secret",
  "second_factors.secret",
  "sessions.id",
  "users.password_hash",
  "webhook_endpoints.previous_secret",
  "webhook_endpoints.secret",
];

/** Gives each secret column values, and returns a function that reads all of them at present, in each encoding. */
export async function openSecrets({ database, own, callers }: World): Promise<() => Promise<string[]>> {
  const { sql } = database;
  const userIds = [...new Set(callers.flatMap(({ userId }) => userId ?? []))];
  for (const userId of userIds) {
    await sql`insert into accounts (provider, provider_account_id, user_id) values ('google', ${`account ${userId}`}, ${userId})`;
    await sql`
      insert into password_resets (token_hash, user_id, expires_at) values (${randomBytes(32)}, ${userId}, now() + interval '1 day')`;
    await sql`insert into second_factors (user_id, pending_secret) values (${userId}, ${`pending secret of ${userId}`})`;
    await sql`insert into recovery_codes (user_id, hash) values (${userId}, ${randomBytes(32)})`;
    await device(sql, userId);
  }
  for (const thing of ["key", "token", "invitation", "endpoint", "channel", "session", "device"] as const)
    await MAKERS[thing](database, own);
  const columns = SECRETS.map((name) => `select to_json(${name.split(".")[1]!}) as value from ${name.split(".")[0]!}`);
  return async () => {
    const rows = await sql.unsafe<{ value: string | null }[]>(columns.join(" union all "));
    return rows.flatMap(({ value }) => (value === null ? [] : value.startsWith("\\x") ? encodings(value.slice(2)) : [value]));
  };
}

function encodings(hex: string): string[] {
  const bytes = Buffer.from(hex, "hex");
  return [hex, bytes.toString("base64").replaceAll("=", ""), bytes.toString("base64url"), [...bytes].join(",")];
}
