/** The output of `bench/cost.ts` for one kind of work: processor time in microseconds and bytes of the log, per operation. */
export interface Cost {
  serviceMicros: number;
  /** The one server, or the coordinator. */
  databaseMicros: number;
  /** The workers of a distributed database. */
  workersMicros?: readonly number[];
  /** A value for each server, the coordinator first. */
  logBytes: readonly number[];
}

export interface Measured {
  event: Cost;
  read: Cost;
  stored: { eventBytes: number; playerBytes: number };
}

/** Assumptions that cannot be measured: customers' behaviour, and a machine's size and price. */
export interface Assumed {
  eventsADay: number;
  readsADay: number;
  /** Peak hour relative to the mean. */
  peak: number;
  keptDays: number;
  /** The share of a processor or disk that capacity planning allows. */
  fill: number;
  machine: { cores: number; diskBytes: number; logBytesPerSecond: number; euros: number };
}

export const ASSUMED: Assumed = {
  eventsADay: 10,
  readsADay: 5,
  peak: 3,
  keptDays: 90,
  fill: 0.5,
  machine: { cores: 16, diskBytes: 4e12, logBytesPerSecond: 200e6, euros: 200 },
};

/** An installation for a number of players. */
export interface Plan {
  players: number;
  /** Events a second in the busiest hour. */
  eventsPerSecond: number;
  readsPerSecond: number;
  serviceCores: number;
  /** Cores of the one server, or of the coordinator. */
  coordinatorCores: number;
  /** Cores of all workers together. */
  workerCores: number;
  logBytesPerSecond: number;
  storedBytes: number;
  serviceMachines: number;
  /** Machines that hold players, without their standbys. */
  workers: number;
  coordinators: number;
  /** The price of a month, with a standby for each database machine. */
  euros: number;
}

const DAY_SECONDS = 86_400;

/**
 * The installation that measured costs and assumptions require. The number of player-holding machines follows from the scarcest of cores,
 * disk and log.
 */
export function plan(players: number, { event, read, stored }: Measured, assumed: Assumed = ASSUMED): Plan {
  const { eventsADay, readsADay, peak, keptDays, fill, machine } = assumed;
  const eventsPerSecond = (players * eventsADay * peak) / DAY_SECONDS;
  const readsPerSecond = (players * readsADay * peak) / DAY_SECONDS;
  const cores = (micros: (cost: Cost) => number) => (eventsPerSecond * micros(event) + readsPerSecond * micros(read)) / 1e6;
  const serviceCores = cores(({ serviceMicros }) => serviceMicros);
  const ofFirst = cores(({ databaseMicros }) => databaseMicros);
  const ofWorkers = cores(({ workersMicros = [] }) => sum(workersMicros));
  const isDistributed = event.workersMicros !== undefined;
  const logBytesPerSecond = eventsPerSecond * sum(event.logBytes);
  const storedBytes = players * (stored.playerBytes + eventsADay * keptDays * stored.eventBytes);
  const machinesFor = (needed: number, each: number) => Math.max(1, Math.ceil(needed / (each * fill)));
  const workers = Math.max(
    machinesFor(isDistributed ? ofWorkers : ofFirst, machine.cores),
    machinesFor(storedBytes, machine.diskBytes),
    machinesFor(logBytesPerSecond, machine.logBytesPerSecond),
  );
  const coordinators = isDistributed ? machinesFor(ofFirst, machine.cores) : 0;
  const serviceMachines = machinesFor(serviceCores, machine.cores);
  return {
    players,
    eventsPerSecond,
    readsPerSecond,
    serviceCores,
    coordinatorCores: ofFirst,
    workerCores: ofWorkers,
    logBytesPerSecond,
    storedBytes,
    serviceMachines,
    workers,
    coordinators,
    euros: (serviceMachines + 2 * (workers + coordinators)) * machine.euros,
  };
}

/** The table of docs/scaling.md. */
export function planTable(plans: readonly Plan[]): string {
  const rows: [string, (of: Plan) => string][] = [
    ["players", ({ players }) => short(players)],
    ["events a second, busiest hour", ({ eventsPerSecond }) => short(eventsPerSecond)],
    ["reads a second, busiest hour", ({ readsPerSecond }) => short(readsPerSecond)],
    ["cores of the service", ({ serviceCores }) => short(serviceCores)],
    ["cores of the server, or of the coordinator", ({ coordinatorCores }) => short(coordinatorCores)],
    ["cores of the workers", ({ workerCores }) => short(workerCores)],
    ["log (WAL), MB a second", ({ logBytesPerSecond }) => short(logBytesPerSecond / 1e6)],
    ["stored, TB", ({ storedBytes }) => short(storedBytes / 1e12)],
    ["machines: service", ({ serviceMachines }) => short(serviceMachines)],
    ["machines: coordinator's work", ({ coordinators }) => short(coordinators)],
    ["machines: holding players", ({ workers }) => short(workers)],
    ["euros a month, with standbys", ({ euros }) => short(euros)],
  ];
  const lines = rows.map(([title, cell]) => `| ${title} | ${plans.map(cell).join(" | ")} |`);
  return [lines[0], `|---|${plans.map(() => "---:|").join("")}`, ...lines.slice(1)].join("\n");
}

/** Two significant digits, with the unit of thousands. */
export function short(value: number): string {
  if (value < 10) return String(Number(value.toPrecision(2)));
  const [unit, name] = (
    [
      [1e9, "B"],
      [1e6, "M"],
      [1e3, "k"],
      [1, ""],
    ] as const
  ).find(([least]) => value >= least)!;
  const scaled = value / unit;
  return `${scaled >= 100 ? Math.round(scaled) : Number(scaled.toPrecision(2))}${name}`;
}

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);
