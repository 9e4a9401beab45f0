import { ArrowLeft, ArrowRight } from "lucide-react";
import Link from "next/link";
import { Children, isValidElement, type ReactNode } from "react";
import { type Entry, positionOf } from "../navigation.ts";
import { CopyMarkdown } from "../code/copy.tsx";
import { DocsSection, type SectionProps } from "../text.tsx";

interface PageProps {
  /** Its address in the navigation, which names it. */
  href: string;
  /** Its subject, in a sentence or two. */
  lead: ReactNode;
  /** The heading, where it is not the title in the navigation. */
  title?: string;
  /** The reference shows code beside the text and uses the full width. */
  isWide?: boolean;
  children: ReactNode;
}

/** A documentation page: heading, text, table of contents where there is room, and links to the previous and next page. */
export function DocsPage({ href, lead, title, isWide = false, children }: PageProps) {
  const place = positionOf(href);
  const sections = isWide ? [] : sectionsOf(children);
  return (
    <div className="flex gap-12">
      <div className={isWide ? "min-w-0 flex-1" : "min-w-0 max-w-3xl flex-1"}>
        <header className="mb-10">
          <div data-markdown="none" className="mb-2 flex min-h-7 items-center justify-between gap-3">
            <p className="text-sm font-medium text-accent">{place.chapter}</p>
            <CopyMarkdown href={href} />
          </div>
          <h1 className="text-3xl font-semibold tracking-tight text-ink">{title ?? place.title}</h1>
          <div className="docs-prose mt-3 max-w-2xl text-base text-quiet">{lead}</div>
        </header>
        {children}
        <nav aria-label="Before and after this page" className="mt-16 flex flex-wrap justify-between gap-3 border-t border-line pt-6">
          {place.previous && <Neighbour entry={place.previous} direction="previous" />}
          {place.next && <Neighbour entry={place.next} direction="next" />}
        </nav>
      </div>
      {sections.length > 1 && <OnThisPage sections={sections} />}
    </div>
  );
}

const sectionsOf = (children: ReactNode): SectionProps[] =>
  Children.toArray(children)
    .filter((child) => isValidElement<SectionProps>(child) && child.type === DocsSection)
    .map((child) => (child as React.ReactElement<SectionProps>).props);

function OnThisPage({ sections }: { sections: readonly SectionProps[] }) {
  return (
    <nav aria-labelledby="on-this-page" className="sticky top-24 hidden w-52 shrink-0 self-start text-sm xl:block">
      <h2 id="on-this-page" className="mb-2 font-semibold text-ink">
        On this page
      </h2>
      <ul className="grid gap-1.5 border-l border-line">
        {sections.map(({ id, title }) => (
          <li key={id}>
            <a href={`#${id}`} className="-ml-px block border-l border-transparent pl-3 text-quiet hover:border-accent hover:text-ink">
              {title}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );
}

function Neighbour({ entry, direction }: { entry: Entry; direction: "previous" | "next" }) {
  const isNext = direction === "next";
  return (
    <Link
      href={entry.href}
      className={`group flex items-center gap-2 rounded-md px-2 py-1 font-medium text-quiet hover:text-ink ${isNext ? "ml-auto" : ""}`}
    >
      {!isNext && <ArrowLeft aria-hidden className="size-4" />}
      {entry.title}
      {isNext && <ArrowRight aria-hidden className="size-4" />}
    </Link>
  );
}
