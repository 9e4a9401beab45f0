import { NextResponse, type NextRequest } from "next/server";
import { hardened } from "./server/api/hardened.ts";

/** Gives every page its content security policy, with a nonce for the scripts that Next writes into it. */
export function proxy(request: NextRequest): NextResponse {
  // PostgreSQL's texts cannot contain a NUL: a page that looks something up by its address would fail with a database error.
  if (request.nextUrl.href.includes("%00")) return new NextResponse("There is no such page.\n", { status: 404 });
  const nonce = crypto.randomUUID();
  const policy = contentPolicy(nonce);
  const headers = new Headers(request.headers);
  // Next reads the nonce from the request's policy and puts it on its own scripts.
  headers.set("Content-Security-Policy", policy);
  headers.set("X-Nonce", nonce);
  // Pages do not know their own address, to which the sign-in returns.
  headers.set("X-Path", `${request.nextUrl.pathname}${request.nextUrl.search}`);
  const response = NextResponse.next({ request: { headers } });
  response.headers.set("Content-Security-Policy", policy);
  for (const [name, value] of Object.entries(hardened(process.env["BASE_URL"] ?? ""))) response.headers.set(name, value);
  return response;
}

// Pages only: for requests of the API and of the RPC, Next would copy each body to run this. Images, however their address is written, have
// a policy of their own.
export const config = { matcher: "/((?!_next/static/|images/[^/]+/?$|definitions[.]schema[.]json$|v1(?:/|$)|api/|rpc(?:/|$)).*)" };

function contentPolicy(nonce: string): string {
  // Reloading during development evaluates code and writes styles into the page.
  const isDevelopment = process.env.NODE_ENV === "development";
  return [
    "default-src 'self'",
    `script-src 'self' 'nonce-${nonce}' 'strict-dynamic'${isDevelopment ? " 'unsafe-eval'" : ""}`,
    `style-src 'self' ${isDevelopment ? "'unsafe-inline'" : `'nonce-${nonce}'`}`,
    // Style attributes position menus, bars and dragged items by measurement. They run no script.
    "style-src-attr 'unsafe-inline'",
    "img-src 'self' https: data:",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
    "object-src 'none'",
  ].join("; ");
}
