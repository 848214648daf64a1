"use client";

import Link from "next/link";
import { usePathname } from "next/navigation";
import { useI18n } from "@/components/i18n/i18n-provider";
import { classNames } from "@/components/ui/class-names";
import { PLACES } from "./places";

/** The rail's places on small screens, in reach of a thumb. */
export function BottomBar() {
  const { t } = useI18n();
  const pathname = usePathname();
  return (
    <nav
      aria-label={t("shell.navigation")}
      className="fixed inset-x-0 bottom-0 z-30 flex border-line border-t bg-surface pb-[env(safe-area-inset-bottom)] md:hidden"
    >
      {PLACES.map((place) => {
        const current = place.isCurrent(pathname);
        return (
          <Link
            key={place.href}
            href={place.href}
            aria-current={current ? "page" : undefined}
            className={classNames(
              "flex h-14 flex-1 flex-col items-center justify-center gap-0.5 font-medium text-xs -outline-offset-2",
              current ? "text-accent" : "text-ink-soft",
            )}
          >
            <place.icon aria-hidden className="size-5" />
            {t(place.word)}
          </Link>
        );
      })}
    </nav>
  );
}
