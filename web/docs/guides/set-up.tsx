import { MAKE_KEY } from "./commands.ts";
import { ShownCommand } from "./shown-command.tsx";

/** What every guide needs before its first request. */
export function SetUp() {
  return (
    <>
      <p>
        The requests here work unchanged, in each language, in the Sandbox of the <strong>demo project</strong>, a coffee shop that is there
        from the first start; its key was printed then. Create a new one in the dashboard under <em>API keys</em>, or on the command line:
      </p>
      <ShownCommand of={MAKE_KEY} />
    </>
  );
}
