import type { StatusOfEnvironment, StatusOfInstallation } from "../../client/service.tsx";
import { plural } from "#server/model/kernel/thousands.ts";
import { lengthInWords } from "../../components/relative.ts";

export interface Alert {
  tone: "bad" | "warn";
  title: string;
  text: string;
  /** The page on which it can be fixed. */
  href?: string | undefined;
}

/** Three heartbeats (insight/status/service/beat.ts). */
export const SILENT_SECONDS = 35;
const LATE_SECONDS = 60;
const LATE_PERIOD_SECONDS = 600;
const LONG_TRANSACTION_SECONDS = 300;

const inWords = (seconds: number) => lengthInWords(seconds * 1000);

/** Open alerts and their remedies; empty when healthy. */
export function alertsOf(environments: readonly StatusOfEnvironment[], installation: StatusOfInstallation | null): Alert[] {
  return [...(installation === null ? [] : ofInstallation(installation, environments)), ...environments.flatMap(ofEnvironment)];
}

function ofInstallation({ processes, database }: StatusOfInstallation, environments: readonly StatusOfEnvironment[]): Alert[] {
  const alerts: Alert[] = [];
  const workers = processes.filter(({ isWorking }) => isWorking);
  const silence = Math.min(...workers.map(({ secondsSilent }) => secondsSilent));
  // With a scheduler there is no worker, and no fact waits for long.
  const isLate = environments.some(({ oldestFactSeconds }) => (oldestFactSeconds ?? 0) > LATE_SECONDS);
  if (silence > SILENT_SECONDS && (workers.length > 0 || isLate))
    alerts.push({
      tone: "bad",
      title: workers.length === 0 ? "No worker has been seen for a day" : `No worker has been seen for ${inWords(silence)}`,
      text: "Events are accepted and wait. Start a worker with `npm run worker`, or set WORKER=on.",
    });
  const versions = new Set(processes.filter(({ secondsSilent }) => secondsSilent <= SILENT_SECONDS).map(({ version }) => version));
  if (versions.size > 1)
    alerts.push({
      tone: "warn",
      title: `Processes run different versions: ${[...versions].sort().join(", ")}`,
      text: "Normal during an upgrade. Restart those that still run the earlier one.",
    });
  if ((database.longestTransactionSeconds ?? 0) > LONG_TRANSACTION_SECONDS)
    alerts.push({
      tone: "warn",
      title: `A transaction has been open for ${inWords(database.longestTransactionSeconds!)}`,
      text: "Until it ends, vacuum cannot remove newer dead rows. Look for it in pg_stat_activity.",
    });
  if (database.connections > 0.9 * database.mostConnections)
    alerts.push({
      tone: "bad",
      title: `${database.connections} of ${database.mostConnections} connections to the database are taken`,
      text: "New processes may not get one. Raise max_connections, or lower the POOL_ settings.",
    });
  return alerts;
}

function ofEnvironment(row: StatusOfEnvironment): Alert[] {
  const name = environmentName(row);
  const alerts: Alert[] = [];
  if ((row.oldestFactSeconds ?? 0) > LATE_SECONDS)
    alerts.push({
      tone: "bad",
      title: `${name}: events have waited for ${inWords(row.oldestFactSeconds!)}`,
      text: "They are kept and will be applied. If this grows, start another worker.",
    });
  if ((row.oldestPeriodSeconds ?? 0) > LATE_PERIOD_SECONDS)
    alerts.push({
      tone: "warn",
      title: `${name}: a leaderboard should have been settled ${inWords(row.oldestPeriodSeconds!)} ago`,
      text: "Prizes of that period are not granted yet. The log of the worker says why.",
    });
  if (row.quarantined > 0)
    alerts.push({
      tone: "warn",
      title: `${name}: ${plural(row.quarantined, "event is", "events are")} in quarantine`,
      text: `${row.quarantined === 1 ? "It" : "They"} could not be processed.`,
      href: row.isOpen ? `/dashboard/${row.project}/${row.environment}/developers/quarantine` : undefined,
    });
  return alerts;
}

/** "Acme, Live" */
export const environmentName = ({ projectName, environment }: Pick<StatusOfEnvironment, "projectName" | "environment">): string =>
  `${projectName}, ${environment === "live" ? "Live" : "Sandbox"}`;
