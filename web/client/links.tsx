import type { ComponentProps } from "react";
import type { Kind } from "../../server/model/definitions/contract.ts";
import { TextLink } from "../components/button.tsx";
import { definitionPath } from "../definitions/kinds/index.ts";
import type { Tab } from "../players/inputs.ts";
import { useWhere } from "./service.tsx";

type Linked = Pick<ComponentProps<typeof TextLink>, "className" | "children">;

export function DefinitionLink({ kind, of, name, className }: { kind: Kind; of: string; name: string; className?: string }) {
  const { href } = useWhere();
  return (
    <TextLink href={href(definitionPath(kind, of))} className={className} dir="auto" title={name}>
      {name}
    </TextLink>
  );
}

/** A player by their external id, linked; by default the id is shown. */
export function PlayerLink({ of, tab, children = of, ...rest }: Linked & { of: string; tab?: Tab }) {
  const { href } = useWhere();
  return (
    <TextLink {...rest} href={href(`/players/${encodeURIComponent(of)}${tab === undefined ? "" : `?tab=${tab}`}`)}>
      {children}
    </TextLink>
  );
}
