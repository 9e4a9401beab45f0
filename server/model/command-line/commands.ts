/** Every command with its description, for its `--help` and for the documentation. A test compares the names with those of the program. */
export const COMMANDS: readonly { title: string; id: string; rows: readonly [command: string, does: string][] }[] = [
  {
    title: "Logging in",
    id: "login",
    rows: [
      ["login", "gets a token for a service: a person approves it in their browser, here or on another machine"],
      ["logout", "revokes the token of the last login, or of the login to --url, and deletes it from this machine"],
      ["whoami", "prints the service that commands go to, and the token's permissions there"],
    ],
  },
  {
    title: "Definitions",
    id: "definitions",
    rows: [
      ["definitions validate", "checks a file, or a folder of files, without a service: shapes, references and rules"],
      ["definitions test", "runs scenarios by the rules of the service, without a service: events of a player, and their expected effects"],
      ["definitions backtest", "replays the history of real players with a draft, in the service: its effects and its cost"],
      ["definitions types", "prints TypeScript types of keys and event properties, from a file, a folder or an environment"],
      ["definitions plan", "prints the changes that applying a file, or a folder of files, would make; exits with 2 if there are any"],
      ["definitions apply", "applies a file, a folder of files or a plan, all or nothing, or makes a change request; prints the changes"],
      ["definitions pull", "writes the definitions of an environment into a file (*.json), or into a folder with a file for each"],
      ["definitions export", "prints the definitions file"],
      ["definitions import", "imports a definitions file, all or nothing, and prints the changes"],
      ["definitions promote", "imports all definitions of one environment into the other, all or nothing"],
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
      ["listen", "receives signed copies of a Sandbox's webhooks as they happen, and posts them to an address of yours"],
      ["trigger", "sends a test delivery in a Sandbox, to its endpoints and listeners, about something that did not happen"],
    ],
  },
  {
    title: "Keys, endpoints, the Sandbox, players",
    id: "project",
    rows: [
      ["api-key create", "creates a key and prints it, once"],
      ["api-key list", "prints a line for each key: name, hint, creation, last use, state"],
      ["api-key revoke", "revokes the keys with a name; their next requests are refused"],
      ["webhook create", "registers an endpoint and prints its signing secret, once"],
      ["webhook list", "prints a line for each endpoint: id, state, URL, events"],
      ["webhook delete", "deletes an endpoint; its pending and held deliveries fail"],
      ["clock advance", "moves the Sandbox clock forward, waits until the work that falls due on the way has run, and prints the new time"],
      ["environment reset", "deletes the players of a Sandbox and their data; definitions, keys, endpoints and the clock stay"],
      ["player erase", "erases a player permanently: points and purchases stay without a name, everything else is deleted"],
      ["purchase reverse", "reverses a purchase: refunds its price, returns the unit to stock and frees the player's limit"],
      ["project archive", "archives a project: requests with its API keys are answered 404"],
      ["completion", 'prints the completion of a shell: eval "$(engagement completion bash)" in ~/.bashrc'],
    ],
  },
  {
    title: "For tests",
    id: "tests",
    rows: [
      ["serve", "with --ephemeral runs the API and the worker, without pages, on a database that is deleted at the end: for tests"],
      ["test create", "creates a test project, and prints its slug and an API key of its Sandbox"],
      ["test settled", "waits until everything accepted so far is applied; fails if an event could not be applied"],
      ["test remove", "deletes a test project with all its data"],
    ],
  },
  {
    title: "Only beside the database",
    id: "beside",
    rows: [
      ["project create", "creates a project"],
      ["user create", "creates a person and prints the generated password, once"],
      ["user reset-password", "sets a new generated password for a person, prints it once, ends their sessions and revokes their tokens"],
      ["user reset-second-factor", "removes the second factor of a person who lost it, and ends their sessions"],
      ["token create", "creates a token of a member and prints it, once"],
      ["token list", "prints a line for each token of a project: id, expiry, name, maker, role, environment, last use"],
      ["token revoke", "revokes a token; its next call is refused"],
      [
        "webhook reencrypt",
        "encrypts all signing secrets and second factors under AUTH_SECRET, so that the previous one is not needed any more",
      ],
      ["player erasures", "prints the erasures, a line of JSON each, without names; store them apart from backups"],
      ["player repeat-erasures", "repeats the erasures of players that a restored backup has brought back"],
      ["analytics recount", "recounts all figures of reports in the background; reports show the progress"],
      ["audit", "checks every invariant over all of an environment's data, and prints a line for each broken one"],
      ["scale lanes", "prints the number of lanes of the event queue, or sets it while the service runs: 1, 2, 4, 8, 16, 32 or 64"],
      ["scale distribute", "spreads players over the workers of a Citus cluster; stop the service first"],
    ],
  },
];
