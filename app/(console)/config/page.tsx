import { ModelsPage } from "@/components/config/models-page";

export default function ConfigRoute() {
  return <ModelsPage />;
}
