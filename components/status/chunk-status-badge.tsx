"use client";

import type { AttemptStatus, ChunkStatus } from "@/server/runs/run-state.rules";
import { StatusBadge } from "./status-badge";
import { ATTEMPT_STATUS_STYLE, CHUNK_STATUS_STYLE } from "./status-table";

export function ChunkStatusBadge({ status }: { status: ChunkStatus }) {
  return <StatusBadge style={CHUNK_STATUS_STYLE[status]} />;
}

export function AttemptStatusBadge({ status }: { status: AttemptStatus }) {
  return <StatusBadge style={ATTEMPT_STATUS_STYLE[status]} />;
}
