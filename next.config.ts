import type { NextConfig } from "next";

// A build makes the ids of server actions from this key. With a key of its own, each build would have other ids, and a page from before an
// upgrade could neither sign in nor sign out. The key would also encrypt the variables that inline actions close over. It is no secret, so
// inline actions are forbidden (`server/process/pages/build.test.ts`).
process.env["NEXT_SERVER_ACTIONS_ENCRYPTION_KEY"] ||= "jtbu7ag9r6eYxAOO0bSwMabQPPSBDI4m1Sr3GDLvLOU=";

const config: NextConfig = {
  poweredByHeader: false,
  // Disables /_next/image: no page uses it, and anyone could make it resize pictures.
  images: { unoptimized: true },
  experimental: {
    // A page's code is loaded by its first request, in 130 ms at most. Preloading all of it, including routes that our own server answers,
    // would take 120 MB.
    preloadEntriesOnStart: false,
    // Bounds bodies where Next runs alone, as server/process/pages/guard.ts does elsewhere. Pages only receive sign-in forms.
    serverActions: { bodySizeLimit: "16kb" },
    proxyClientMaxBodySize: "16kb",
    // Without these a build takes half the CPU seconds (44 of 85). Server code stays readable, so it needs no source maps, and most builds
    // are the first of their checkout, which only write a cache.
    turbopackSourceMaps: false,
    turbopackMinify: { server: false, client: true },
    turbopackFileSystemCacheForBuild: false,
  },
  // Types are checked by `npm run check`, together with everything else.
  typescript: { ignoreBuildErrors: true },
  // Next would redirect paths with a trailing slash. In the API (app/v1) they are different paths.
  skipTrailingSlashRedirect: true,
  rewrites: async () => ({
    // Next decodes the part that [[...rest]] matches, and fails if it is not UTF-8. Rewritten to /v1 there is no such part.
    beforeFiles: [
      { source: "/v1/:path(.*%.*)", destination: "/v1" },
      // Each page of the documentation as Markdown.
      { source: "/docs.md", destination: "/docs/markdown" },
      { source: "/docs/:path*.md", destination: "/docs/markdown/:path*" },
    ],
    afterFiles: [],
    // Paths without a page answer browsers with HTML and all others with a problem, as in server/process/routing.ts.
    fallback: [
      {
        source:
          "/:path((?!(?:_next|docs|dashboard|sign-in|invitation|password-reset|rpc|images|icon.svg|favicon.ico|robots.txt|llms.txt|llms-full.txt|manifest.webmanifest|[a-z0-9-]+.png|api/auth)(?:/|$)).*)",
        missing: [{ type: "header", key: "accept", value: ".*text/html.*" }],
        destination: "/v1",
      },
    ],
  }),
  headers: async () => [
    {
      source: "/:path*",
      headers: [
        { key: "X-Content-Type-Options", value: "nosniff" },
        { key: "X-Frame-Options", value: "DENY" },
        { key: "Referrer-Policy", value: "strict-origin-when-cross-origin" },
        { key: "Permissions-Policy", value: "camera=(), geolocation=(), microphone=()" },
        { key: "Cross-Origin-Opener-Policy", value: "same-origin" },
      ],
    },
  ],
};

export default config;
