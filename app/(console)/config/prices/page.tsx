import { PricesPage } from "@/components/config/prices-page";

export default function ConfigPricesRoute() {
  return <PricesPage />;
}
