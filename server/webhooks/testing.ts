import { SecretCipher } from "./secret-cipher.ts";

/** The AUTH_SECRET of tests; programs that they start on the same database are given the same one. */
export const TEST_AUTH_SECRET = "only for this test";

/** Encrypts webhook secrets in tests. */
export const testCipher = new SecretCipher(TEST_AUTH_SECRET);
