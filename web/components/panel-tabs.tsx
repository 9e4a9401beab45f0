import { Tabs as BaseTabs } from "@base-ui/react/tabs";
import type { ReactNode } from "react";
import { cx } from "./classes.ts";
import { TAB, TAB_ROW } from "./tabs.tsx";

/** Tabs that switch between panels of a page. Apart from tabs.tsx, so that pages with links for tabs load no Base UI for them. */
export function Tabs({ items }: { items: { value: string; label: ReactNode; content: ReactNode }[] }) {
  return (
    <BaseTabs.Root defaultValue={items[0]?.value}>
      <BaseTabs.List className={cx(TAB_ROW, "mb-4")}>
        {items.map(({ value, label }) => (
          <BaseTabs.Tab key={value} value={value} className={TAB}>
            {label}
          </BaseTabs.Tab>
        ))}
      </BaseTabs.List>
      {items.map(({ value, content }) => (
        <BaseTabs.Panel key={value} value={value}>
          {content}
        </BaseTabs.Panel>
      ))}
    </BaseTabs.Root>
  );
}
