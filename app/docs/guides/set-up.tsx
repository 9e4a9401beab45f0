import { CodeBlock } from "../code/code-block.tsx";

/** What every guide needs before its first request. */
export function SetUp() {
  return (
    <>
      <p>
        The requests here can be copied into a shell. They work unchanged in the Sandbox of the <strong>demo project</strong>, a coffee shop
        that is there from the first start; its key was printed then. Create a new one in the dashboard under <em>API keys</em>, or on the
        command line:
      </p>
      <CodeBlock
        title="Shell"
        language="shell"
        code={`KEY=$(npm run --silent cli -- api-key create --project demo --environment sandbox --name guides)`}
      />
    </>
  );
}
