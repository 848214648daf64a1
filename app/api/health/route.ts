import { handleHealth } from "@/server/api/health-handler";

export const dynamic = "force-dynamic";

export { handleHealth as GET };
