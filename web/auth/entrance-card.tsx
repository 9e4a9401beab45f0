import type { ReactNode } from "react";
import { Brand } from "../components/brand.tsx";

interface EntranceCardProps {
  title: ReactNode;
  description?: ReactNode;
  /** Below the card: a link to an alternative. */
  aside?: ReactNode;
  children?: ReactNode;
}

/** A page for signed-out users: a single centred card. */
export const EntranceCard = ({ title, description, aside, children }: EntranceCardProps) => (
  <main className="flex min-h-dvh flex-col items-center bg-sunken px-4 pt-[max(2.5rem,14vh)] pb-10">
    <div className="w-full max-w-sm">
      <div className="mb-6 text-center text-[0.8125rem] font-medium text-quiet">
        <Brand />
      </div>
      <section className="rounded-2xl border border-line bg-paper p-6 shadow-overlay sm:p-7">
        <h1 className="text-lg font-semibold tracking-tight wrap-anywhere">{title}</h1>
        {description && <div className="mt-1 text-quiet wrap-anywhere">{description}</div>}
        {children && <div className="mt-5">{children}</div>}
      </section>
      {aside && <div className="mt-5 text-center text-[0.8125rem] text-quiet">{aside}</div>}
    </div>
  </main>
);
