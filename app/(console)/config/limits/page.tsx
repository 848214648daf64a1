import { LimitsPage } from "@/components/config/limits-page";

export default function ConfigLimitsRoute() {
  return <LimitsPage />;
}
