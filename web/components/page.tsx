import { ChevronRight } from "lucide-react";
import { Fragment, type ReactNode } from "react";
import { cx } from "./classes.ts";
import { PageLink } from "./page-link.tsx";

interface PageProps {
  title: ReactNode;
  description?: ReactNode;
  breadcrumbs?: { label: ReactNode; href: string }[];
  actions?: ReactNode;
  /** A badge beside the title. */
  aside?: ReactNode;
  /** "form" leaves room for a summary on wide windows. */
  width?: "narrow" | "wide" | "form";
  children: ReactNode;
}

const WIDTHS = { narrow: "max-w-3xl", wide: "max-w-7xl", form: "max-w-7xl min-[110rem]:max-w-[94rem]" };

/** A screen of the dashboard with its title. */
export const Page = ({ title, description, breadcrumbs = [], actions, aside, width = "wide", children }: PageProps) => (
  <div className={cx("mx-auto w-full px-4 pt-5 pb-16 sm:px-6 lg:px-8", WIDTHS[width])}>
    {breadcrumbs.length > 0 && (
      <nav aria-label="Breadcrumbs" className="mb-1 flex flex-wrap items-center gap-1 text-[0.8125rem] text-quiet">
        {breadcrumbs.map(({ label, href }) => (
          <Fragment key={href}>
            <PageLink href={href} className="rounded hover:text-ink">
              {label}
            </PageLink>
            <ChevronRight className="size-3.5 text-faint" />
          </Fragment>
        ))}
        <span aria-current="page" dir="auto" className="max-w-60 truncate">
          {title}
        </span>
      </nav>
    )}
    <header className="mb-5 flex flex-wrap items-center gap-x-4 gap-y-3">
      <div className="min-w-0 flex-1 basis-60">
        <div className="flex flex-wrap items-center gap-2">
          <h1 dir="auto" className="line-clamp-3 text-lg font-semibold tracking-tight wrap-anywhere">
            {title}
          </h1>
          {aside}
        </div>
        {description && <p className="mt-0.5 max-w-2xl text-quiet">{description}</p>}
      </div>
      {actions && <div className="flex flex-wrap items-center gap-2">{actions}</div>}
    </header>
    {children}
  </div>
);
