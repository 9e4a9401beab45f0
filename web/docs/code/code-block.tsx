import { CopyButton } from "./copy-button.tsx";
import { CAPTION, FIGURE } from "./figure.ts";
import { highlight, type Language } from "./highlight.ts";
import type { Piece } from "./piece.ts";

interface CodeBlockProps {
  /** What it is: "Request", "Answer", a file's name. */
  title: string;
  code: string | readonly Piece[];
  language?: Language;
  /** Beside the title: a status, or a note that parts are left out. */
  remark?: string;
}

/** Highlighted code, rendered on the server, with a copy button. */
export function CodeBlock({ title, code, language = "text", remark }: CodeBlockProps) {
  return (
    <figure data-code={title} className={FIGURE}>
      <figcaption className={CAPTION}>
        <span className="font-medium">{title}</span>
        {remark && <span className="text-faint">{remark}</span>}
        <CopyButton what={title} />
      </figcaption>
      <Code title={title} pieces={typeof code === "string" ? [{ language, code }] : code} />
    </figure>
  );
}

/** The code itself. */
export const Code = ({ title, pieces }: { title: string; pieces: readonly Piece[] }) => (
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
