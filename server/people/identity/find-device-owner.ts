import type { Database } from "#db/client.ts";
import type { DeviceOwner } from "../../model/identity/devices.ts";
import { selectUser } from "./store/users.ts";

/** The owner that a device cookie stores; null for a person without a password. */
export async function findDeviceOwner({ sql }: Database, { userId }: { userId: string }): Promise<DeviceOwner | null> {
  const user = await selectUser(sql, userId);
  return user?.passwordHash == null ? null : { userId, passwordHash: user.passwordHash };
}
