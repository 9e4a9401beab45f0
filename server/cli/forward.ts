/** The response of the target address. */
export interface Answer {
  /** Null if there was none. */
  status: number | null;
  durationMs: number;
  error: string | null;
}

/** The same timeout as a delivery's. */
const PATIENCE_MS = 15_000;

/** Posts a copy byte for byte, with its headers. Never rejects. */
export async function post(target: URL, { headers, body }: { headers: Record<string, string>; body: string }): Promise<Answer> {
  const began = performance.now();
  const took = () => Math.round(performance.now() - began);
  try {
    const answer = await fetch(target, { method: "POST", headers, body, redirect: "manual", signal: AbortSignal.timeout(PATIENCE_MS) });
    // Read to the end, so that the connection can be reused.
    await answer.arrayBuffer();
    return { status: answer.status, durationMs: took(), error: null };
  } catch (error) {
    return { status: null, durationMs: took(), error: reasonOf(error) };
  }
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (error.name === "TimeoutError") return `nothing came within ${PATIENCE_MS / 1000} seconds`;
  const { cause } = error as { cause?: { code?: string; message?: string } };
  return cause?.code ?? cause?.message ?? error.message;
}
