import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { stringify } from "yaml";

/** A real Prometheus with the rules of operations/. */
export interface Prometheus {
  /** The names of the alerts that fire now. */
  firing(): Promise<Set<string>>;
  stop(): void;
}

export const RULES = "operations/prometheus/alerts.yml";

/** Whether Prometheus is on this machine; it is not a dependency of ours. */
export const isThere = (): boolean => spawnSync("prometheus", ["--version"]).status === 0;

/**
 * Starts it on these targets. Alerts fire without their rule's `for`, and rates use a window of seconds; comparisons and thresholds are
 * unchanged.
 */
export function startPrometheus(folder: string, port: number, targets: readonly string[]): Prometheus {
  const impatient = readFileSync(RULES, "utf8")
    .replace(/for: \w+/g, "for: 1s")
    .replace(/\[\d+m\]/g, "[20s]");
  writeFileSync(join(folder, "alerts.yml"), impatient);
  const configuration = {
    global: { scrape_interval: "2s", evaluation_interval: "2s" },
    rule_files: ["alerts.yml"],
    scrape_configs: [{ job_name: "engagement", static_configs: [{ targets }] }],
  };
  writeFileSync(join(folder, "prometheus.yml"), stringify(configuration));
  const options = [`--config.file=${join(folder, "prometheus.yml")}`, `--storage.tsdb.path=${join(folder, "tsdb")}`];
  const program: ChildProcess = spawn("prometheus", [...options, `--web.listen-address=127.0.0.1:${port}`, "--log.level=error"], {
    stdio: ["ignore", "inherit", "inherit"],
  });
  return {
    async firing() {
      const answer = await fetch(`http://127.0.0.1:${port}/api/v1/alerts`).catch(() => null);
      if (answer === null) return new Set();
      const { data } = (await answer.json()) as { data: { alerts: { state: string; labels: { alertname: string } }[] } };
      return new Set(data.alerts.filter(({ state }) => state === "firing").map(({ labels }) => labels.alertname));
    },
    stop: () => void program.kill("SIGTERM"),
  };
}
