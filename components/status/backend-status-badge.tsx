"use client";

import type { BackendRow } from "@/server/runs/backend-view.schema";
import { StatusBadge } from "./status-badge";
import { BACKEND_STATUS_STYLE } from "./status-table";

export function BackendStatusBadge({ status }: { status: BackendRow["status"] }) {
  return <StatusBadge style={BACKEND_STATUS_STYLE[status]} />;
}
