import { CodeBlock } from "../code/code-block.tsx";
import type { Command } from "./exchange.ts";

/** Lines for a shell. */
export const ShownCommand = ({ of: { command } }: { of: Command }) => <CodeBlock title="Shell" language="shell" code={command} />;
