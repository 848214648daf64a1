import { handleSignOut } from "@/server/api/sign-in-handler";

export const dynamic = "force-dynamic";

export { handleSignOut as POST };
