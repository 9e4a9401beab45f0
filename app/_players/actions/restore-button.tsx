"use client";

import dynamic from "next/dynamic";
import { useState } from "react";
import { useWhere } from "../../_client/where.tsx";
import { Button } from "../../_components/button.tsx";
import type { RestoreProps } from "./restore-streak.tsx";

/** Loaded when somebody wants it. */
const RestoreStreak = dynamic<RestoreProps>(() => import("./restore-streak.tsx"), { ssr: false });

/** Offers to restore a streak; nothing for a Viewer. */
export function RestoreButton(props: Pick<RestoreProps, "externalId" | "streak" | "name">) {
  const { can } = useWhere();
  const [isOpen, setOpen] = useState(false);
  const [opening, setOpening] = useState(0);
  if (!can("Support")) return null;
  const ask = () => {
    setOpening((before) => before + 1);
    setOpen(true);
  };
  return (
    <>
      <Button size="sm" aria-label={`Restore streak: ${props.name}`} onClick={ask}>
        Restore
      </Button>
      {opening > 0 && <RestoreStreak key={opening} {...props} open={isOpen} onOpenChange={setOpen} />}
    </>
  );
}
