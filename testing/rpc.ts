/** Calls a procedure of the dashboard, such as "keys/create"; its answer. Throws KitError with what the service said. */
export type Rpc = <Answer>(procedure: string, input?: object) => Promise<Answer>;

/** What goes wrong in a test run, in words for whoever wrote the test. */
export class KitError extends Error {
  override readonly name = "KitError";
}

/** Calls procedures with a token. */
export function rpcWithToken(url: string, token: string): Rpc {
  return (procedure, input = {}) =>
    answerOf(
      procedure,
      request(`${url}/rpc/${procedure}`, {
        method: "POST",
        headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
        body: JSON.stringify({ json: input }),
      }),
    );
}

/** A request; one that gets no answer at all says where it went. */
export async function request(address: string, init: RequestInit): Promise<Response> {
  try {
    return await fetch(address, init);
  } catch (error) {
    const { cause } = error as { cause?: { message?: string } };
    throw new KitError(`The engagement service does not answer at ${new URL(address).origin}: ${cause?.message ?? String(error)}`);
  }
}

/** Reads the envelope of a procedure's answer. */
export async function answerOf<Answer>(
  procedure: string,
  asked: Promise<{ status: number | (() => number); text(): Promise<string> }>,
): Promise<Answer> {
  const answer = await asked;
  const status = typeof answer.status === "function" ? answer.status() : answer.status;
  const text = await answer.text();
  const json = jsonOf(text) as { message?: string; data?: unknown } | undefined;
  if (status === 200) return json as Answer;
  const more = json?.data === undefined ? "" : ` ${JSON.stringify(json.data)}`;
  throw new KitError(`${procedure} was refused (${status}): ${json?.message ?? text.slice(0, 500)}${more}`);
}

function jsonOf(text: string): unknown {
  try {
    return (JSON.parse(text) as { json?: unknown }).json;
  } catch {
    return undefined;
  }
}
