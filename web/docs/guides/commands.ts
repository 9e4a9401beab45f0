import { commandLine, type Steps } from "./exchange.ts";

const WHERE = "--project demo --environment sandbox";

export const asCodeSteps = () =>
  ({
    pull: { command: commandLine(`definitions pull coffee ${WHERE}`) },
    validate: { command: commandLine("definitions validate coffee") },
    test: { command: commandLine("definitions test coffee --scenarios server/operations/demo/scenarios") },
    plan: { command: commandLine(`definitions plan coffee ${WHERE}`) },
    apply: { command: commandLine(`definitions apply coffee --yes ${WHERE}`) },
  }) satisfies Steps;

export const typesSteps = () => ({ types: { command: `${commandLine(`definitions types ${WHERE}`)} > engagement.d.ts` } }) satisfies Steps;

/** After those of definitions as code, whose files it applies. */
export const approvalSteps = () =>
  ({
    apply: {
      command: `${commandLine("definitions apply coffee --yes --project demo --environment live")} \\
  --title "Summer missions" --reason "Ticket 4711" --wait`,
    },
  }) satisfies Steps;

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

export const webhookSteps = () =>
  ({
    register: {
      command: `${commandLine("webhook create --project demo --environment sandbox")} \\
  --url https://example.com/hooks \\
  --events mission.completed,catalog_item.fulfillment_requested`,
    },
  }) satisfies Steps;
