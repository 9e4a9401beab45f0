import { chosenLanguage } from "../../code/chosen-language.ts";
import { Code, CodeBlock } from "../../code/code-block.tsx";
import { CopyButton } from "../../code/copy-button.tsx";
import { LanguageTabs } from "../../code/language-tabs.tsx";
import { RECEIVERS } from "./receivers.ts";

/** The receiver in the chosen language. curl cannot receive: it shows the first one. */
export async function ReceiverTabs() {
  const chosen = await chosenLanguage();
  const { name, install, file, language, code } = RECEIVERS.find((receiver) => receiver.name === chosen) ?? RECEIVERS[0]!;
  return (
    <>
      <LanguageTabs
        title="Receiver"
        languages={RECEIVERS.map((receiver) => receiver.name)}
        chosen={name}
        aside={<CopyButton what="Receiver" />}
      >
        <Code title={file} pieces={[{ language, code }]} />
      </LanguageTabs>
      <CodeBlock title="Install its library" language="shell" code={install} />
    </>
  );
}
