"use client";

import { Notice } from "../../components/surface.tsx";
import { namedAlong, useAlong } from "../along.tsx";
import { KIND_MODULES } from "../kinds/index.ts";

/** Says what is created together with the definition in the form. */
export function AlongNotice({ one }: { one: string }) {
  const along = useAlong();
  if (along.length === 0) return null;
  const names = along.map((each) => `the ${KIND_MODULES[each.kind].one} ${namedAlong(each).name} (${namedAlong(each).key})`);
  return (
    <Notice title={`Creating this ${one} also creates ${names.join(" and ")}.`}>
      Nothing is saved yet. Your backend has to send this key. If it sends another one already, go back and choose that one.
    </Notice>
  );
}
