import { ListChecks, type LucideIcon, Server, SlidersHorizontal, SquarePlus } from "lucide-react";
import type { MessageKey } from "@/components/i18n/messages";
import { paths } from "@/components/paths";

export interface Place {
  href: string;
  word: MessageKey;
  icon: LucideIcon;
  isCurrent: (pathname: string) => boolean;
}

const isNewRun = (pathname: string) => pathname === paths.newRun() || pathname === paths.newAgentRun();

/** Where the rail and the bottom bar lead. */
export const PLACES: readonly Place[] = [
  {
    href: paths.runs(),
    word: "shell.runs",
    icon: ListChecks,
    isCurrent: (pathname) => pathname.startsWith(paths.runs()) && !isNewRun(pathname),
  },
  { href: paths.newRun(), word: "shell.newRun", icon: SquarePlus, isCurrent: isNewRun },
  {
    href: paths.backends(),
    word: "shell.backends",
    icon: Server,
    isCurrent: (pathname) => pathname.startsWith(paths.backends()),
  },
  {
    href: paths.config(),
    word: "shell.config",
    icon: SlidersHorizontal,
    isCurrent: (pathname) => pathname.startsWith(paths.config()),
  },
];
