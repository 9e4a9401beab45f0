import type { Database } from "#db/client.ts";
import type { WorkObserver } from "../../model/kernel/observer.ts";
import type { Tracer } from "../../model/kernel/tracer.ts";
import type { Looking } from "../../model/kernel/runner.ts";
import type { MailOptions } from "../../people/notices/service/mail-due.ts";
import type { SecretCipher } from "../../model/webhooks/secret-cipher.ts";

/** The dependencies of background work. */
export interface WorkContext extends Looking {
  database: Database;
  logger: { error: LogLine; warn: LogLine };
  /** Reads the signing secrets of webhooks. */
  cipher: SecretCipher;
  /** Whether webhooks may go to private addresses (WEBHOOK_ALLOW_PRIVATE_ADDRESSES). */
  allowPrivateAddresses: boolean;
  /** The way out for mail; left out where no mail server is set. */
  mail?: MailOptions;
  observer?: WorkObserver;
  tracer?: Tracer;
  /** Called when facts have been applied: there may be deliveries to send. */
  onEffects: () => void;
  /** The thread's share of the lanes, where several threads of a process work; all of them when left out. */
  share?: LaneShare;
}

/** Thread `index` of so many. The first looks for periods of streaks that have begun. */
export interface LaneShare {
  index: number;
  of: number;
}

type LogLine = (fields: object, message: string) => void;
