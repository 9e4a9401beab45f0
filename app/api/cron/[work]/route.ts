import { serverless } from "#web/client/serverless.ts";

/** Runs one kind of due work (server/operations/worker/registry.ts) on installations without a worker; vercel.json has the schedule. */
export const GET = async (request: Request, { params }: { params: Promise<{ work: string }> }): Promise<Response> =>
  serverless().runWork((await params).work, request.headers.get("authorization"));

export const dynamic = "force-dynamic";
