"use client";

import Link from "next/link";
import type { ReactNode } from "react";
import { useWhere } from "../../client/where.tsx";
import { Notice } from "../../components/surface.tsx";
import { useBaseCurrency } from "../catalogue-query.ts";

/** Asks for the base currency. Beside the form, so that no input is lost on the way to the settings. */
export function NoBaseCurrency({ children }: { children: ReactNode }) {
  const { href } = useWhere();
  if (useBaseCurrency() !== null) return null;
  return (
    <Notice tone="warn" title="This environment has no base currency yet">
      {children} Choose it in the{" "}
      <Link href={href("/settings")} target="_blank" className="font-medium text-accent underline underline-offset-2">
        settings
      </Link>{" "}
      first (they open beside this).
    </Notice>
  );
}
