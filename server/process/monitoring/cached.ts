/** Calls `ask` at most once per `keptMs`; concurrent callers share the result. A failure is cached too. */
export function cached<T>(ask: () => Promise<T>, keptMs: number): () => Promise<T> {
  let answer: Promise<T> | null = null;
  let askedAt = 0;
  return () => {
    if (answer === null || performance.now() - askedAt >= keptMs) {
      askedAt = performance.now();
      answer = ask();
    }
    return answer;
  };
}
