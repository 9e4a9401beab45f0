import Link from "next/link";
import { chosenLanguage, CodeBlock, CodeText, RequestBlock } from "../code/code-block.tsx";
import { CopyCode } from "../code/copy.tsx";
import { LanguageTabs } from "../code/language-tabs.tsx";
import { layOut } from "../code/lay-out.ts";
import { type Command, type Exchange, MAKE_KEY } from "./exchange.ts";
import { RECEIVERS } from "./receivers.ts";

interface ShownProps {
  of: Exchange | Command;
  /** Says that members or rows of the response are left out. */
  isExcerpt?: boolean;
}

/** A step of a guide: lines for a shell, or a request and its response. */
export function GuideStep({ of: step, isExcerpt = false }: ShownProps) {
  if ("command" in step) return <CodeBlock title="Shell" language="shell" code={step.command} />;
  const { status, answer } = step;
  return (
    <div>
      <RequestBlock request={step} />
      {answer === undefined ? (
        <p className="text-quiet">{`Answers ${status}, without a body.`}</p>
      ) : (
        <CodeBlock title="Response" remark={isExcerpt ? `${status}, excerpt` : String(status)} language="json" code={layOut(answer)} />
      )}
    </div>
  );
}

/** What every guide needs before its first request. */
export const SetUp = () => (
  <>
    <p>
      The requests here work unchanged, in each language, in the Sandbox of the <strong>demo project</strong>, a coffee shop that is there
      from the first start; its key was printed then. Create a new one in the dashboard under <em>API keys</em>, or on the command line:
    </p>
    <GuideStep of={MAKE_KEY} />
    <p>
      Without the demo, in a project of your own, the requests are the same with the keys of your missions and events. If another team runs
      the service, <code>engagement …</code> does from your machine what <code>npm run --silent cli -- …</code> does beside it:{" "}
      <Link href="/docs/command-line">The command line</Link>.
    </p>
  </>
);

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
        aside={<CopyCode what="Receiver" />}
      >
        <CodeText title={file} pieces={[{ language, code }]} />
      </LanguageTabs>
      <CodeBlock title="Install its library and start it" language="shell" code={install} />
    </>
  );
}
