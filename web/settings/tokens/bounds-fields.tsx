"use client";

import type { Role } from "#server/model/kernel/roles.ts";
import { Field } from "../../components/field.tsx";
import { Select } from "../../components/select.tsx";
import { roleOptions } from "../roles.ts";
import { type Bound, BOUNDS, type Bounds, LASTS } from "./bounds.ts";

interface BoundsFieldsProps {
  bounds: Bounds;
  onBoundsChange(bounds: Bounds): void;
  /** Roles that the token may have, the highest first. */
  roles: readonly Role[];
  roleHint?: string;
  /** The service's error for a field of the call. */
  problemAt(pointer: string): string | undefined;
}

/** A token's role, environment and lifetime. */
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
