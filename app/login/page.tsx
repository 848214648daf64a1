import { headers } from "next/headers";
import { redirect } from "next/navigation";
import { LoginPage } from "@/components/login/login-page";
import { LanguageMenu, ThemeMenu } from "@/components/shell/appearance-menus";
import { BrandMark } from "@/components/shell/brand-mark";
import { signInPage } from "@/server/api/page-access";

interface LoginRouteProps {
  searchParams: Promise<Record<string, string | string[] | undefined>>;
}

export default async function LoginRoute({ searchParams }: LoginRouteProps) {
  const [head, query] = await Promise.all([headers(), searchParams]);
  const { isNeeded, next, refused } = signInPage(head, query);
  if (!isNeeded) redirect(next);
  return (
    <LoginPage
      next={next}
      refused={refused}
      host={head.get("host") ?? ""}
      mark={<BrandMark className="size-12" />}
      menus={
        <>
          <LanguageMenu />
          <ThemeMenu />
        </>
      }
    />
  );
}
