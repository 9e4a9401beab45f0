import { ORPCError } from "@orpc/client";
import { Button } from "./button.tsx";
import { Notice } from "./surface.tsx";

/** A failed call's error, in words for the user. */
export function problemOf(error: unknown): string {
  if (error instanceof ORPCError) {
    if (error.status < 500) return error.message;
    return "Something went wrong and nothing was changed. Try again; if it keeps failing, check the service's log.";
  }
  return "The service cannot be reached. Check your connection and try again.";
}

interface ReadFailedProps {
  title: string;
  /** Null shows nothing. */
  error: unknown;
  onRetry?(): unknown;
}

/** Says that a query failed, and why. */
export function ReadFailed({ title, error, onRetry }: ReadFailedProps) {
  if (!error) return null;
  const retry = onRetry && (
    <Button size="sm" onClick={() => void onRetry()}>
      Try again
    </Button>
  );
  return (
    <Notice tone="bad" title={title} action={retry}>
      {problemOf(error)}
    </Notice>
  );
}

/** `pointer` is a JSON pointer (RFC 6901) to its subject, "" for the whole. */
export interface Problem {
  pointer: string;
  message: string;
}

/** All validation problems; each line links to its field where `onGo` is given. */
export function ProblemList({ problems, title, onGo }: { problems: Problem[]; title?: string; onGo?(pointer: string): void }) {
  if (problems.length === 0) return null;
  return (
    <Notice tone="bad" title={title ?? (problems.length === 1 ? "Fix 1 problem" : `Fix ${problems.length} problems`)}>
      <ul className="mt-1 flex flex-col gap-1">
        {problems.map(({ pointer, message }, at) => (
          <li key={at}>
            {onGo ? (
              <button type="button" onClick={() => onGo(pointer)} className="text-left underline decoration-line-strong underline-offset-2">
                {message}
              </button>
            ) : (
              message
            )}
            {pointer && !onGo && <code className="ml-1.5 font-mono text-xs text-quiet">{pointer}</code>}
          </li>
        ))}
      </ul>
    </Notice>
  );
}
