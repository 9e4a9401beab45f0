import { expect, test } from "vitest";
import type { StatusOfEnvironment, StatusOfInstallation } from "../../client/service.tsx";
import { alertsOf } from "./alerts.ts";

const environment: StatusOfEnvironment = {
  ...{ project: "acme", projectName: "Acme", environment: "live", isOpen: true, facts: 3, oldestFactSeconds: 0.2, quarantined: 0 },
  ...{ deliveries: 0, oldestDeliverySeconds: null, periods: 0, oldestPeriodSeconds: null, scheduledChanges: 0, imports: 0 },
  ...{ eventDays: null, purgedBefore: null, isPurging: false },
};
const worker = {
  ...{ id: "1", host: "one", pid: 1, version: "1.0.0", node: "26.0.0", isServing: false, isWorking: true },
  ...{
    startedAt: "2026-01-01T00:00:00.000Z",
    beatAt: "2026-01-01T00:00:00.000Z",
    secondsSilent: 5,
    memoryBytes: 1,
    pools: [],
    errors: null,
  },
};
const database = { version: "18", bytes: 1, connections: 5, activeConnections: 1, mostConnections: 100, longestTransactionSeconds: 2 };
const well: StatusOfInstallation = { processes: [worker], lanes: 4, database, tables: [], statements: null, older: null };

const late = { ...environment, oldestFactSeconds: 240 };

test.each<[string, StatusOfEnvironment[], StatusOfInstallation | null, string[]]>([
  ["nothing when all is well", [environment], well, []],
  [
    "a worker that fell silent, and how long events have waited",
    [late],
    { ...well, processes: [{ ...worker, secondsSilent: 180 }] },
    ["No worker has been seen for 3 minutes", "Acme, Live: events have waited for 4 minutes"],
  ],
  ["no worker where a scheduler does the work in time", [environment], { ...well, processes: [] }, []],
  [
    "no worker while events wait",
    [late],
    { ...well, processes: [] },
    ["No worker has been seen for a day", "Acme, Live: events have waited for 4 minutes"],
  ],
  [
    "two versions of living processes",
    [environment],
    { ...well, processes: [worker, { ...worker, version: "1.1.0" }, { ...worker, version: "0.9.0", secondsSilent: 900 }] },
    ["Processes run different versions: 1.0.0, 1.1.0"],
  ],
  [
    "a database that runs out",
    [environment],
    { ...well, database: { ...database, connections: 95, longestTransactionSeconds: 600 } },
    ["A transaction has been open for 10 minutes", "95 of 100 connections to the database are taken"],
  ],
  [
    "a project's own, without the installation",
    [{ ...environment, quarantined: 1, oldestPeriodSeconds: 7_200 }],
    null,
    ["Acme, Live: a leaderboard should have been settled 2 hours ago", "Acme, Live: 1 event is in quarantine"],
  ],
])("%s", (_, environments, installation, titles) => expect(alertsOf(environments, installation).map(({ title }) => title)).toEqual(titles));
