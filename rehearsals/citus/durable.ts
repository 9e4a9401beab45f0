import { type Database, openDatabase } from "../../db/client.ts";
import { migrateDatabase } from "../../db/migrate.ts";
import { distribute } from "../../db/scale/distribute.ts";
import { connectionsOf, type DurableDatabase } from "../crash/durable.ts";
import { steadilyUntil } from "../crash/steadily.ts";
import { startCluster } from "./cluster.ts";

/** Without fsync, since killed processes lose nothing without it. Prepared transactions that a crash left are finished early. */
const SETTINGS = { fsync: "off", full_page_writes: "off", "citus.recover_2pc_interval": "1s" };
/** The targets of `kill` in turn: the coordinator, one worker, the other, all of them. */
const VICTIMS = [[0], [1], [2], [0, 1, 2]] as const;

/** A database on a coordinator and two workers, each of which restarts when killed. */
export async function startDurableCluster(programs: string): Promise<DurableDatabase> {
  const { url, coordinator, workers, kill, stop } = await startCluster(programs, SETTINGS);
  const database = openDatabase(url, { connections: 1 });
  try {
    await migrateDatabase(url);
    await distribute(database, { coordinator, workers, shards: 4, isDryRun: false });
  } catch (error) {
    await database.close();
    await stop();
    throw error;
  }
  let kills = 0;
  return {
    url,
    kill: () => VICTIMS[kills++ % VICTIMS.length]!.map(kill).some(Boolean),
    ...connectionsOf(url),
    recovered: () => untilRecovered(database),
    async stop() {
      await database.close();
      await stop();
    },
  };
}

/** Waits until every transaction that a crash left prepared is finished. */
export const untilRecovered = ({ sql }: Database): Promise<void> =>
  steadilyUntil(async () => {
    await sql.unsafe("select recover_prepared_transactions()");
    const left = await sql.unsafe<{ success: boolean; result: string }[]>(
      "select success, result from run_command_on_workers('select count(*) from pg_prepared_xacts')",
    );
    return left.every(({ success, result }) => success && result === "0");
  });
