import { cookies, headers } from "next/headers";
import type { ReactNode } from "react";
import { SessionWatch } from "@/components/login/session-watch";
import { ConsoleShell } from "@/components/shell/console-shell";
import { RAIL_COOKIE } from "@/components/shell/rail-cookie";
import { isSignInUsed } from "@/server/api/page-access";

export default async function ConsoleLayout({ children }: { children: ReactNode }) {
  const [head, jar] = await Promise.all([headers(), cookies()]);
  return (
    <ConsoleShell
      host={head.get("host") ?? ""}
      railCollapsed={jar.get(RAIL_COOKIE)?.value === "collapsed"}
      canSignOut={isSignInUsed()}
    >
      {children}
      <SessionWatch />
    </ConsoleShell>
  );
}
