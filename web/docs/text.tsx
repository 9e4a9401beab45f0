import type { ReactNode } from "react";

/** Text as the contracts write it: `code` and **strong** words. */
export const withCode = (text: string): ReactNode[] =>
  text.split(/(`[^`]+`|\*\*[^*]+\*\*)/).map((piece, index) => {
    if (piece.startsWith("`")) return <code key={index}>{piece.slice(1, -1)}</code>;
    if (piece.startsWith("**")) return <strong key={index}>{piece.slice(2, -2)}</strong>;
    return piece;
  });

/** A heading that links to itself; the sign appears on hover. */
export const HeadingLink = ({ id, children }: { id: string; children: ReactNode }) => (
  <a href={`#${id}`} className="after:font-normal after:text-faint hover:after:content-['_#'] focus-visible:after:content-['_#']">
    {children}
  </a>
);

export interface SectionProps {
  id: string;
  title: string;
  children?: ReactNode;
}

/** A part of a page under a heading that can be linked to. */
export const DocsSection = ({ id, title, children }: SectionProps) => (
  <section aria-labelledby={id} className="docs-prose mt-12">
    <h2 id={id} className="group">
      <HeadingLink id={id}>{title}</HeadingLink>
    </h2>
    {children}
  </section>
);

/** A note that stands out. */
export const Note = ({ title, children }: { title: string; children: ReactNode }) => (
  <div role="note" className="my-5 rounded-lg border border-line bg-raised px-4 py-3">
    <p className="mt-0 font-semibold text-ink">{title}</p>
    <div className="text-quiet [&>p:first-child]:mt-1">{children}</div>
  </div>
);

/** A table; texts may have `code` in backticks. */
export const Table = ({ head, rows }: { head: readonly string[]; rows: readonly (readonly ReactNode[])[] }) => (
  <table>
    <thead>
      <tr>
        {head.map((name) => (
          <th key={name} scope="col">
            {name}
          </th>
        ))}
      </tr>
    </thead>
    <tbody>
      {rows.map((row, at) => (
        <tr key={at}>
          {row.map((cell, column) => (
            <td key={column}>{typeof cell === "string" ? withCode(cell) : cell}</td>
          ))}
        </tr>
      ))}
    </tbody>
  </table>
);
