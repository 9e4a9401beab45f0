"use client";

import dynamic from "next/dynamic";
import { type ComponentType, useState } from "react";
import { useWhere } from "../../client/where.tsx";
import { Button } from "../../components/button.tsx";
import type { GrantProps } from "./grant.tsx";
import type { RestoreProps } from "./restore-streak.tsx";

/** Dialog props: open state. */
interface Opened {
  open: boolean;
  onOpenChange(open: boolean): void;
}

/** A button whose dialog is loaded on demand. Hidden for Viewers. */
function actionButton<Props extends Opened & { name: string }>(
  words: string,
  title: string,
  load: () => Promise<{ default: ComponentType<Props> }>,
) {
  const Asking = dynamic(load, { ssr: false }) as ComponentType<Props>;
  return function ActionButton(props: Omit<Props, keyof Opened>) {
    const { can } = useWhere();
    const [isOpen, setOpen] = useState(false);
    /** Remounts on each opening. */
    const [opening, setOpening] = useState(0);
    if (!can("Support")) return null;
    const ask = () => {
      setOpening((before) => before + 1);
      setOpen(true);
    };
    return (
      <>
        <Button size="sm" className="self-start" aria-label={`${title}: ${props.name}`} onClick={ask}>
          {words}
        </Button>
        {opening > 0 && <Asking key={opening} {...({ ...props, open: isOpen, onOpenChange: setOpen } as unknown as Props)} />}
      </>
    );
  };
}

export const GrantMissionButton = actionButton<GrantProps>("Grant mission", "Grant mission", () => import("./grant.tsx"));
export const GrantObjectiveButton = actionButton<GrantProps>("Grant", "Grant objective", () => import("./grant.tsx"));
export const RestoreButton = actionButton<RestoreProps>("Restore", "Restore streak", () => import("./restore-streak.tsx"));
