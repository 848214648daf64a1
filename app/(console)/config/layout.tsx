import type { ReactNode } from "react";
import { ConfigFrame } from "@/components/config/config-frame";

export default function ConfigLayout({ children }: { children: ReactNode }) {
  return <ConfigFrame>{children}</ConfigFrame>;
}
