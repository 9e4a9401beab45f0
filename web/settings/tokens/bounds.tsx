import type { EnvironmentKind, Role } from "#server/model/kernel/environment.ts";
import { choices } from "../../components/choice.tsx";
import { Field } from "../../components/inputs.tsx";
import { Select } from "../../components/select.tsx";
import { roleOptions } from "../roles.ts";

/** A token's scope: one environment or both, or the test projects that it creates. */
type Bound = EnvironmentKind | "both" | "tests";

const BOUNDS = choices<Bound, string>({ sandbox: "Sandbox", live: "Live", both: "Both environments", tests: "Test projects only" });

const LASTS = [
  { value: "7", label: "7 days" },
  { value: "30", label: "30 days" },
  { value: "90", label: "90 days" },
  { value: "365", label: "1 year" },
];

/** The role that most programs need; an Owner's token can do everything that the Owner can. */
const leastNeeded = (roles: readonly Role[]): Role => (roles.includes("Editor") ? "Editor" : (roles.at(0) ?? "Viewer"));

interface Bounds {
  role: Role;
  environment: Bound;
  /** A number, as text. */
  days: string;
}

export const firstBounds = (roles: readonly Role[]): Bounds => ({ role: leastNeeded(roles), environment: "sandbox", days: "90" });

/** The same as a call's input. */
export const boundsInput = ({ role, environment, days }: Bounds) => ({
  role,
  environment: environment === "both" ? null : environment,
  days: Number(days),
});

interface BoundsFieldsProps {
  bounds: Bounds;
  onBoundsChange(bounds: Bounds): void;
  /** Roles that the token may have, the highest first. */
  roles: readonly Role[];
  roleHint?: string;
}

export function BoundsFields({ bounds, onBoundsChange, roles, roleHint }: BoundsFieldsProps) {
  const set = (change: Partial<Bounds>) => onBoundsChange({ ...bounds, ...change });
  return (
    <>
      <Field label="Role" hint={roleHint} at="#/role">
        <Select<Role> value={bounds.role} onValueChange={(role) => set({ role })} options={roleOptions(roles)} />
      </Field>
      <div className="grid gap-4 sm:grid-cols-2">
        <Field label="Environment">
          <Select<Bound> value={bounds.environment} onValueChange={(environment) => set({ environment })} options={BOUNDS} />
        </Field>
        <Field label="Expires after" at="#/days">
          <Select value={bounds.days} onValueChange={(days) => set({ days })} options={LASTS} />
        </Field>
      </div>
    </>
  );
}
