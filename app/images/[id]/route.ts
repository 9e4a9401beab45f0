import { publicAddress } from "#server/process/base-url.ts";
import { hardened } from "#server/api/hardened.ts";
import { dashboard } from "#web/client/dashboard.ts";

/**
 * An uploaded image. Its id is the hash of its bytes, so it never changes. An SVG opened on its own runs and loads nothing; any page may
 * embed it.
 */
export async function GET({ signal }: Request, { params }: { params: Promise<{ id: string }> }): Promise<Response> {
  const image = await dashboard().image((await params).id, signal);
  const safe = { ...SAFE, ...hardened(publicAddress()) };
  if (image === "busy") {
    const headers = { ...safe, "Cache-Control": "no-store", "Retry-After": "2" };
    return new Response("Too many images are being loaded right now. Try again in a moment.\n", { status: 503, headers });
  }
  if (image === null) return new Response("There is no such image.\n", { status: 404, headers: { ...safe, "Cache-Control": "no-store" } });
  const headers = { ...safe, "Content-Type": image.type, "Cache-Control": "public, max-age=31536000, immutable" };
  return new Response(new Uint8Array(image.bytes), { headers });
}

const SAFE = {
  "Content-Security-Policy": "default-src 'none'; style-src 'unsafe-inline'; sandbox",
  "Cross-Origin-Resource-Policy": "cross-origin",
};

export const dynamic = "force-dynamic";
