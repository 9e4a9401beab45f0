import type { Database } from "#db/client.ts";
import type { Tracer, WorkObserver } from "../../model/kernel/monitoring.ts";
import type { Looking, WorkLog } from "../../model/kernel/runner.ts";
import type { MailOptions } from "../../people/notices/mailing.ts";
import type { SecretCipher } from "../../model/webhooks/secret-cipher.ts";

/** The dependencies of background work. */
export interface WorkContext extends Looking {
  database: Database;
  logger: WorkLog;
  /** Decrypts the signing secrets of webhooks. */
  cipher: SecretCipher;
  /** Whether webhooks may go to private addresses (WEBHOOK_ALLOW_PRIVATE_ADDRESSES). */
  allowPrivateAddresses: boolean;
  /** The public address, without a slash at its end; messages to channels link to it. Left out in tests: the links are paths. */
  baseUrl?: string;
  /** Sends mail; left out if no mail server is configured. */
  mail?: MailOptions;
  observer?: WorkObserver;
  tracer?: Tracer;
  /** Called after facts were applied: there may be deliveries to send. */
  onEffects: () => void;
  /** The thread's share of the lanes, if several threads work; all lanes if left out. */
  share?: LaneShare;
}

/** Thread `index` of several. The first also looks for streak periods that have begun. */
export interface LaneShare {
  index: number;
  of: number;
}
