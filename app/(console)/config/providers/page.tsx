import { ProvidersPage } from "@/components/config/providers-page";

export default function ConfigProvidersRoute() {
  return <ProvidersPage />;
}
