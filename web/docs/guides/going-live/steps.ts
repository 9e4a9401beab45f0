import { commandLine } from "../commands.ts";
import type { Steps } from "../exchange.ts";

const promote = commandLine("definitions promote --project acme --from sandbox --to live");

export const goingLiveSteps = () =>
  ({
    promote: { command: `# What would change, without changing it:\n${promote} --dry-run\n\n${promote}` },
    key: { command: commandLine("api-key create --project acme --environment live --name backend") },
    endpoint: {
      command: `${commandLine("webhook create --project acme --environment live")} \\
  --url https://example.com/hooks \\
  --events mission.completed,catalog_item.fulfillment_requested`,
    },
  }) satisfies Steps;
