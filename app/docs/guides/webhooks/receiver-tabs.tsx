import { Tabs } from "../../../_components/tabs.tsx";
import { CodeBlock } from "../../code/code-block.tsx";
import { type Receiver, RECEIVERS } from "./receivers.ts";

/** The same receiver in each language. */
export function ReceiverTabs() {
  return (
    <Tabs
      className="mt-4"
      items={RECEIVERS.map((receiver) => ({ value: receiver.name, label: receiver.name, content: <Sample {...receiver} /> }))}
    />
  );
}

const Sample = ({ install, file, language, code }: Receiver) => (
  <>
    <CodeBlock title="Install" language="shell" code={install} />
    <CodeBlock title={file} language={language} code={code} />
  </>
);
