import { publicAddress } from "#server/process/base-url.ts";
import { chosenLanguage } from "./chosen-language.ts";
import { Code } from "./code-block.tsx";
import { CopyButton } from "./copy-button.tsx";
import { LanguageTabs } from "./language-tabs.tsx";
import { LANGUAGES } from "./languages.ts";
import type { ShownRequest } from "./request.ts";

interface RequestBlockProps {
  request: ShownRequest;
  title?: string;
}

/** A request in the reader's chosen language. */
export async function RequestBlock({ request, title = "Request" }: RequestBlockProps) {
  const chosen = await chosenLanguage();
  const language = LANGUAGES.find(({ name }) => name === chosen) ?? LANGUAGES[0]!;
  return (
    <LanguageTabs title={title} languages={LANGUAGES.map(({ name }) => name)} chosen={language.name} aside={<CopyButton what={title} />}>
      <Code title={title} pieces={language.codeOf(request, publicAddress())} />
    </LanguageTabs>
  );
}
