import { accessSync, constants, mkdirSync, realpathSync } from "node:fs";
import { OperatorError } from "../../server/model/kernel/operator-error.ts";

/**
 * Creates the folder (`DATA_DIR`) if it is missing, and returns its real path. Other users may traverse it, since PostgreSQL may run as
 * another user, but they cannot list or read its contents. Throws OperatorError.
 */
export function ensureDataDirectory(directory: string): string {
  try {
    mkdirSync(directory, { recursive: true, mode: 0o711 });
    accessSync(directory, constants.R_OK | constants.W_OK | constants.X_OK);
    return realpathSync(directory);
  } catch (error) {
    throw new OperatorError(`DATA_DIR must be a folder that this user can write to: ${(error as Error).message}.`);
  }
}
