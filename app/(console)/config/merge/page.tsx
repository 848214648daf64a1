import { MergePage } from "@/components/config/merge-page";

export default function ConfigMergeRoute() {
  return <MergePage />;
}
