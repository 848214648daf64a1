import type { NextConfig } from "next";

/** The build goes aside and is swapped in when it is whole: a failed build must not take the last good one away. */
const config: NextConfig = {
  distDir: process.env.NEXT_DIST_DIR ?? ".next",
  turbopack: { root: import.meta.dirname },
  images: { unoptimized: true },
  poweredByHeader: false,
  reactStrictMode: true,
  devIndicators: false,
  allowedDevOrigins: ["127.0.0.1"],
  typescript: { ignoreBuildErrors: true },
  serverExternalPackages: [
    "better-sqlite3",
    "@prisma/client",
    "@prisma/adapter-better-sqlite3",
    "gpt-tokenizer",
    "pino",
    "undici",
    "tsx",
  ],
};

export default config;
