import { ORPCError } from "@orpc/client";
import type { ReactNode } from "react";
import { Button } from "./button.tsx";
import { cx } from "./classes.ts";
import { Notice, Skeleton } from "./surface.tsx";

/** The error of a failed call or server action, in words for the user. */
export function problemOf(error: unknown): string {
  // The service says why it is unavailable; a proxy before it, whose answer is the error's data, does not.
  if (error instanceof ORPCError && (error.status < 500 || (error.status === 503 && error.data === undefined))) return error.message;
  // An action that failed in the service has a digest, by which its log names the error.
  const isReached = error instanceof ORPCError || (error instanceof Error && "digest" in error);
  return isReached
    ? "Something went wrong. Try again; if it keeps failing, check the service's log."
    : "The service cannot be reached. Check your connection and try again.";
}

/**
 * The same for a server action that the service may have refused before Next ran it. Next throws the refusal's text, which ends with a line
 * break (server/process/pages/guard.ts), as an Error; errors of its own do not.
 */
export const actionProblemOf = (error: unknown): string =>
  error instanceof Error && error.message.endsWith("\n") ? error.message.trimEnd() : problemOf(error);

interface ReadFailedProps {
  title: string;
  /** Null shows nothing. */
  error: unknown;
  onRetry?(): unknown;
  className?: string;
}

/** Says that a query failed, and why. */
export function ReadFailed({ title, error, onRetry, className }: ReadFailedProps) {
  if (!error) return null;
  // Trying again changes neither a refusal for the role nor an unknown address.
  const isFinal = error instanceof ORPCError && (error.status === 403 || error.status === 404);
  const retry = onRetry && !isFinal && (
    <Button size="sm" onClick={() => void onRetry()}>
      Try again
    </Button>
  );
  return (
    <Notice tone="bad" title={title} action={retry} className={className}>
      {problemOf(error)}
    </Notice>
  );
}

interface LoadedProps<Data> {
  of: { data: Data | undefined; error: unknown; refetch?(): unknown };
  /** Begins the title of the error: "… could not be loaded". */
  what: string;
  /** In a card without padding. */
  isInset?: boolean;
  /** The skeleton's height. */
  className?: string;
  children(data: Data): ReactNode;
}

/** The data of a query. Before that a skeleton, or the error if it cannot be loaded. */
export const Loaded = <Data,>({ of: { data, error, refetch }, what, isInset = false, className, children }: LoadedProps<Data>) => (
  <>
    <ReadFailed title={`${what} could not be loaded`} error={error} onRetry={refetch} className={cx(isInset && "m-4")} />
    {data === undefined ? !error && <Skeleton className={cx(isInset && "m-4", className)} /> : children(data)}
  </>
);

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
