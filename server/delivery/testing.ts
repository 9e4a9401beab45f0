import { SecretCipher } from "../model/webhooks/secret-cipher.ts";

export { type Received, type Receiver, type Reply, startReceiver } from "../../testing/receiver.ts";

/** The AUTH_SECRET of tests; programs that they start on the same database are given the same one. */
export const TEST_AUTH_SECRET = "only for this test";

/** Encrypts webhook secrets in tests. */
export const testCipher = new SecretCipher(TEST_AUTH_SECRET);
