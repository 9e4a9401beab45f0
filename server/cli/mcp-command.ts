import type { Command } from "commander";
import type { Cli } from "./context.ts";
import { inEnvironment, type Where } from "./service.ts";

/** `mcp`: an assistant's tools for a service, on standard input and output. */
export function mcpCommand(program: Command, cli: Cli): void {
  inEnvironment(program.command("mcp")).action(async (options: Where) => {
    // Loaded only here: other commands start without the protocol's code.
    const [{ mcpServer }, { StdioServerTransport }] = await Promise.all([
      import("./mcp.ts"),
      import("@modelcontextprotocol/sdk/server/stdio.js"),
    ]);
    await cli.over(
      async (remote) => {
        const { server } = mcpServer(remote, options, program.version() ?? "");
        const closed = new Promise<void>((resolve) => (server.onclose = resolve));
        process.stdin.once("end", () => void server.close());
        await server.connect(new StdioServerTransport());
        await closed;
      },
      { isEndless: true },
    );
  });
}
