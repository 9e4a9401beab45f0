"use client";

import type { Role } from "#server/model/kernel/roles.ts";
import { Field } from "../../components/field.tsx";
import { Select } from "../../components/select.tsx";
import { roleOptions } from "../roles.ts";
import { type Bound, BOUNDS, type Bounds, LASTS } from "./bounds.ts";

interface BoundsFieldsProps {
  bounds: Bounds;
  onBoundsChange(bounds: Bounds): void;
  /** Those that the token may have, the highest first. */
  roles: readonly Role[];
  roleHint?: string;
  /** What the service said about a field of the call. */
  problemAt(pointer: string): string | undefined;
}

/** The role of a token, its environment, and how long it lasts. */
export function BoundsFields({ bounds, onBoundsChange, roles, roleHint, problemAt }: BoundsFieldsProps) {
  const set = (change: Partial<Bounds>) => onBoundsChange({ ...bounds, ...change });
  return (
    <>
      <Field label="Role" hint={roleHint} error={problemAt("#/role")}>
        <Select<Role> value={bounds.role} onValueChange={(role) => set({ role })} options={roleOptions(roles)} />
      </Field>
      <div className="grid gap-4 sm:grid-cols-2">
        <Field label="Environment">
          <Select<Bound> value={bounds.environment} onValueChange={(environment) => set({ environment })} options={BOUNDS} />
        </Field>
        <Field label="Expires after" error={problemAt("#/days")}>
          <Select value={bounds.days} onValueChange={(days) => set({ days })} options={LASTS} />
        </Field>
      </div>
    </>
  );
}
