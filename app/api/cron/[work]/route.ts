import { after } from "next/server";
import { serverless } from "#server/process/serverless.ts";

/** Works off what is due of one kind (server/operations/worker/registry.ts) where no worker runs; vercel.json has the schedule. */
export async function GET(request: Request, { params }: { params: Promise<{ work: string }> }): Promise<Response> {
  return serverless(after).runWork((await params).work, request.headers.get("authorization"));
}

export const dynamic = "force-dynamic";
