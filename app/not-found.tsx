import { ArrowRight, BookOpen, Braces, LayoutDashboard } from "lucide-react";
import { Brand } from "../web/components/brand.tsx";

const WAYS = [
  { href: "/dashboard", icon: LayoutDashboard, name: "Dashboard", words: "Author missions, the shop, leaderboards and streaks" },
  { href: "/docs", icon: BookOpen, name: "Documentation", words: "Guides and the API reference" },
  { href: "/v1/openapi.json", icon: Braces, name: "OpenAPI description", words: "Every endpoint, machine-readable" },
];

/** The 404 page outside the dashboard, also shown at the base address. */
export default function NotFound() {
  return (
    <main className="mx-auto flex min-h-dvh max-w-md flex-col justify-center px-5 py-16">
      <Brand className="mb-8 text-[0.8125rem] font-medium text-quiet" />
      <p className="text-quiet tabular-nums">404</p>
      <h1 className="mt-1 text-xl font-semibold tracking-tight">Page not found</h1>
      <p className="mt-2 text-quiet">
        This is an engagement service. Its API answers under <code className="font-mono text-xs text-ink">/v1</code>, to the API keys of
        your backend.
      </p>
      <ul className="mt-6 flex flex-col gap-2">
        {WAYS.map(({ href, icon: Icon, name, words }) => (
          <li key={href}>
            <a
              href={href}
              className="group flex items-center gap-3 rounded-xl border border-line bg-raised px-4 py-3 hover:border-line-strong"
            >
              <Icon className="size-4.5 shrink-0 text-quiet" />
              <span className="min-w-0 flex-1">
                <span className="block font-medium">{name}</span>
                <span className="block text-[0.8125rem] text-quiet">{words}</span>
              </span>
              <ArrowRight className="size-4 text-faint group-hover:text-ink" />
            </a>
          </li>
        ))}
      </ul>
    </main>
  );
}
