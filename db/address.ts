/** What poolers and other drivers want in a URL and PostgreSQL does not know: it would refuse the connection for it. */
const OF_OTHERS = ["pgbouncer", "connection_limit", "pool_timeout", "channel_binding", "supa"];

/**
 * What to give the driver for a DATABASE_URL. A pooler that lends out sessions by the transaction (`pgbouncer=true`, or
 * `prepare=false`) takes no prepared statements: the next transaction is in another session, which has never heard of them.
 */
export function driverAddress(databaseUrl: string): { url: string; options: { prepare?: false } } {
  const [address = "", ...query] = databaseUrl.split("?");
  const parameters = new URLSearchParams(query.join("?"));
  const isPooled = parameters.get("pgbouncer") === "true" || parameters.get("prepare") === "false";
  for (const name of [...OF_OTHERS, "prepare"]) parameters.delete(name);
  return { url: parameters.size > 0 ? `${address}?${parameters}` : address, options: isPooled ? { prepare: false } : {} };
}
