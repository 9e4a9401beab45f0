"use client";

import dynamic from "next/dynamic";
import { useState } from "react";
import { useWhere } from "../../_client/where.tsx";
import { Button } from "../../_components/button.tsx";
import type { GrantProps } from "./grant-mission.tsx";

/** Loaded when somebody wants it. */
const GrantMission = dynamic<GrantProps>(() => import("./grant-mission.tsx"), { ssr: false });

/** Offers to grant a mission; nothing for a Viewer. */
export function GrantButton(props: Pick<GrantProps, "externalId" | "mission" | "name">) {
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
      <Button size="sm" className="self-start" aria-label={`Grant mission: ${props.name}`} onClick={ask}>
        Grant mission
      </Button>
      {opening > 0 && <GrantMission key={opening} {...props} open={isOpen} onOpenChange={setOpen} />}
    </>
  );
}
