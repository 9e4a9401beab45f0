import { openDatabase } from "../../db/client.ts";
import { migrateDatabase } from "../../db/migrate.ts";
import type { Environment } from "../../server/model/kernel/environment.ts";
import { parseJson } from "../../server/model/kernel/json.ts";
import { moveClockUpTo } from "../../server/operations/sandbox/move-clock.ts";
import { resetSandbox } from "../../server/operations/sandbox/reset.ts";
import { importDefinitions } from "../../server/authoring/definitions/service/import.ts";

/** An operation that runs in a process of its own, so that it can be killed midway. */
export type Task =
  | { kind: "import"; environment: Environment; file: string }
  | { kind: "move"; environment: Environment; to: number }
  | { kind: "reset"; environment: Environment }
  | { kind: "migrate"; url: string };

const url = process.argv[2]!;
const database = openDatabase(url, { connections: 3 });

async function perform(task: Task): Promise<void> {
  if (task.kind === "migrate") await migrateDatabase(task.url);
  else if (task.kind === "move") await moveClockUpTo(database, task.environment, task.to);
  else if (task.kind === "reset") await resetSandbox(database, task.environment);
  else await importDefinitions(database, task.environment, parseJson(task.file));
}

process.on("disconnect", () => process.exit());
process.on("message", (task: Task) => {
  // An error is reported like success: the database may have been killed.
  perform(task).then(
    () => process.send!("done"),
    (error: Error) => process.send!(error.message),
  );
});
process.send!("ready");
