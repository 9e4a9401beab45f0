import { cookies } from "next/headers";
import { publicAddress } from "#server/process/base-url.ts";
import { CopyCode } from "./copy.tsx";
import { CAPTION, FIGURE, LANGUAGE_COOKIE, type Piece, type ShownRequest } from "./shown.ts";
import { highlight, type Language } from "./highlight.ts";
import { LanguageTabs } from "./language-tabs.tsx";
import { LANGUAGES } from "./languages.ts";

interface CodeBlockProps {
  /** Its title: "Request", "Response", a file's name. */
  title: string;
  code: string | readonly Piece[];
  language?: Language;
  /** Beside the title: a status, or a note that parts are left out. */
  remark?: string;
}

/** Highlighted code, rendered on the server, with a copy button. */
export const CodeBlock = ({ title, code, language = "text", remark }: CodeBlockProps) => (
  <figure data-code={title} className={FIGURE}>
    <figcaption className={CAPTION}>
      <span className="font-medium">{title}</span>
      {remark && <span className="text-faint">{remark}</span>}
      <CopyCode what={title} />
    </figcaption>
    <CodeText title={title} pieces={typeof code === "string" ? [{ language, code }] : code} />
  </figure>
);

/** The code itself. */
export const CodeText = ({ title, pieces }: { title: string; pieces: readonly Piece[] }) => (
  <pre
    tabIndex={0}
    role="group"
    aria-label={`${title}, code`}
    className="max-h-[32rem] overflow-auto px-3.5 py-3 font-mono text-[0.8125rem] leading-[1.6] text-ink -outline-offset-2 [font-variant-ligatures:none]"
  >
    <code>{pieces.flatMap((piece, index) => colouredOf(piece, index))}</code>
  </pre>
);

const colouredOf = ({ code, language }: Piece, at: number) =>
  highlight(code, language).map(({ text, className }, index) =>
    className ? (
      <span key={`${at} ${index}`} className={className}>
        {text}
      </span>
    ) : (
      text
    ),
  );

/** The language that the reader chose last, on any page; null before the first choice. Next has decoded the cookie. */
export const chosenLanguage = async (): Promise<string | null> => (await cookies()).get(LANGUAGE_COOKIE)?.value ?? null;

/** A request in the reader's chosen language. */
export async function RequestBlock({ request, title = "Request" }: { request: ShownRequest; title?: string }) {
  const chosen = await chosenLanguage();
  const language = LANGUAGES.find(({ name }) => name === chosen) ?? LANGUAGES[0]!;
  return (
    <LanguageTabs title={title} languages={LANGUAGES.map(({ name }) => name)} chosen={language.name} aside={<CopyCode what={title} />}>
      <CodeText title={title} pieces={language.codeOf(request, publicAddress())} />
    </LanguageTabs>
  );
}
