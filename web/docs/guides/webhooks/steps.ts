import { commandLine } from "../commands.ts";
import type { Steps } from "../exchange.ts";

export const webhookSteps = () =>
  ({
    register: {
      command: `${commandLine("webhook create --project demo --environment sandbox")} \\
  --url https://example.com/hooks \\
  --events mission.completed,catalog_item.fulfillment_requested`,
    },
  }) satisfies Steps;
