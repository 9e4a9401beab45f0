/** Every command with what it does; a test compares the names with those of the program. */
export const COMMANDS: readonly { title: string; id: string; rows: readonly [command: string, does: string][] }[] = [
  {
    title: "Logging in",
    id: "login",
    rows: [
      ["login", "opens a page where you approve this machine, and stores the token where only you can read it"],
      ["logout", "revokes that token, and deletes it from this machine"],
      ["whoami", "prints the service, your email address, and the token's permissions"],
    ],
  },
  {
    title: "Definitions",
    id: "definitions",
    rows: [
      ["definitions validate", "checks files without a service"],
      ["definitions test", "runs scenarios without a service: events of a player, and their expected effects"],
      ["definitions backtest", "replays the history of real players with a draft, in the service: its effects and its cost"],
      ["definitions types", "prints TypeScript types of keys and event properties, from files or an environment"],
      ["definitions plan", "prints the changes that applying would make; exits with 2 if there are any"],
      ["definitions apply", "applies files or a plan, all or nothing, or makes a change request; --wait waits for its decision"],
      ["definitions pull", "writes the definitions of an environment into a file or a folder"],
      ["definitions export", "prints the definitions file; --images includes the bytes of uploaded images"],
      ["definitions import", "imports one file; --dry-run only prints the difference"],
      ["definitions promote", "copies all definitions of one environment to the other"],
    ],
  },
  {
    title: "For assistants",
    id: "assistants",
    rows: [
      [
        "mcp",
        "serves the Model Context Protocol: tools that read, preview and plan changes, apply them in the Sandbox, and request them in Live",
      ],
    ],
  },
  {
    title: "Webhooks on a laptop",
    id: "webhooks-on-a-laptop",
    rows: [
      ["listen", "receives signed copies of a Sandbox's webhooks, and posts them to an address of yours"],
      ["trigger", "sends a test delivery in a Sandbox, about something that did not happen"],
    ],
  },
  {
    title: "Keys, endpoints, the Sandbox, players",
    id: "project",
    rows: [
      ["api-key create", "creates a key and prints it, once"],
      ["api-key list", "lists keys with their hint, last use and state"],
      ["api-key revoke", "revokes a key"],
      ["webhook create", "registers an endpoint and prints its signing secret, once"],
      ["webhook list", "lists endpoints with their state and events"],
      ["webhook delete", "deletes an endpoint"],
      ["clock advance", "moves the Sandbox clock forward, and runs the work that falls due on the way"],
      ["environment reset", "deletes the players of a Sandbox and their data; definitions, keys, endpoints and the clock stay"],
      ["player erase", "erases a player permanently"],
      ["purchase reverse", "reverses a purchase and refunds its price"],
      ["project archive", "archives a project"],
      ["completion", "prints a completion script for bash or zsh"],
    ],
  },
  {
    title: "For tests",
    id: "tests",
    rows: [
      ["serve", "with --ephemeral runs the API and the worker on a temporary database"],
      ["test create", "creates a test project, with --definitions if given, and prints its slug and key"],
      ["test settled", "waits until everything accepted so far is applied"],
      ["test remove", "deletes a test project with all its data"],
    ],
  },
  {
    title: "Only beside the database",
    id: "beside",
    rows: [
      ["project create", "creates a project"],
      ["user create", "creates a person and prints their password, once"],
      ["user reset-password", "sets a new password and prints it, once"],
      ["user reset-second-factor", "removes the second factor of a person who lost it"],
      ["token create", "creates a token for a program and prints it, once"],
      ["token list", "lists tokens with their role and last use"],
      ["token revoke", "revokes a token"],
      ["webhook reencrypt", "encrypts signing secrets and second factors under a new AUTH_SECRET"],
      ["player erasures", "prints the erasures; store them apart from backups"],
      ["player repeat-erasures", "repeats the erasures of players that a restored backup has brought back"],
      ["analytics recount", "recounts the figures of reports"],
      ["audit", "prints a line for each broken invariant"],
      ["scale lanes", "prints or sets the number of lanes of the queue"],
      ["scale distribute", "spreads players over the machines of a Citus cluster"],
    ],
  },
];
