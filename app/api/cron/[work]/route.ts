import { after } from "next/server";
import { serverless } from "#server/process/serverless.ts";

/** Runs one kind of due work (server/operations/worker/registry.ts) on installations without a worker; vercel.json has the schedule. */
export const GET = async (request: Request, { params }: { params: Promise<{ work: string }> }): Promise<Response> =>
  serverless(after).runWork((await params).work, request.headers.get("authorization"));

export const dynamic = "force-dynamic";
