import { BackendsPage } from "@/components/backends/backends-page";

export default function BackendsRoute() {
  return <BackendsPage />;
}
