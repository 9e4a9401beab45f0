import { commandLine } from "../commands.ts";
import type { Steps } from "../exchange.ts";

const WHERE = "--project demo --environment sandbox";

export const asCodeSteps = () =>
  ({
    pull: { command: commandLine(`definitions pull coffee ${WHERE}`) },
    validate: { command: commandLine("definitions validate coffee") },
    plan: { command: commandLine(`definitions plan coffee ${WHERE}`) },
    apply: { command: commandLine(`definitions apply coffee --yes ${WHERE}`) },
  }) satisfies Steps;
