import type { NextConfig } from "next";

const config: NextConfig = {
  poweredByHeader: false,
  // No page uses /_next/image, which anybody could have make pictures smaller.
  images: { unoptimized: true },
  experimental: {
    // A page's code is loaded with its first request, which takes 130 ms at most. All of it, with the routes that our own server answers,
    // takes 120 MB.
    preloadEntriesOnStart: false,
    // Where Next is alone: forms of people who are not signed in yet are all that is sent to pages (server/process/pages/guard.ts).
    serverActions: { bodySizeLimit: "16kb" },
    proxyClientMaxBodySize: "16kb",
    // A build takes half the CPU seconds (44 of 85) without these. Code on the server stays readable instead of having maps beside it,
    // and most builds are the first of their checkout, for which a cache is only written.
    turbopackSourceMaps: false,
    turbopackMinify: { server: false, client: true },
    turbopackFileSystemCacheForBuild: false,
  },
  // Types are checked by `npm run check`, together with everything else.
  typescript: { ignoreBuildErrors: true },
  // Where Next serves the API (app/v1): a path with a slash at its end is another path there.
  skipTrailingSlashRedirect: true,
  rewrites: async () => ({
    // Next decodes what it matches with [[...rest]], and breaks on what is not UTF-8; with nothing to match it leaves the path alone.
    beforeFiles: [
      { source: "/v1/:path(.*%.*)", destination: "/v1" },
      // Each page of the documentation as Markdown.
      { source: "/docs.md", destination: "/docs/markdown" },
      { source: "/docs/:path*.md", destination: "/docs/markdown/:path*" },
    ],
    afterFiles: [],
    // What is no page is a problem to everybody but a browser, as server/process/main.ts has it.
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
