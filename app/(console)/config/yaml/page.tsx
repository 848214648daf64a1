import { YamlPage } from "@/components/config/yaml-page";

export default function ConfigYamlRoute() {
  return <YamlPage />;
}
