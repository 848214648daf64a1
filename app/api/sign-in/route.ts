import { handleSignIn } from "@/server/api/sign-in-handler";

export const dynamic = "force-dynamic";

export { handleSignIn as POST };
