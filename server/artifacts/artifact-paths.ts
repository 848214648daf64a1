/** The tree that files of a run are exchanged in (X27, X38), relative to the folder the operator chose. Always with "/". */

/** `runtime/memory-distill/2026-04-19` */
export function runtimeDir(sourceDate: string): string {
  return `runtime/memory-distill/${sourceDate}`;
}

/** `chunk-0001`: four digits, more when a run has ten thousand chunks. */
export function chunkStem(index: number): string {
  return `chunk-${String(index).padStart(4, "0")}`;
}

export function requestPath(sourceDate: string, index: number): string {
  return `${runtimeDir(sourceDate)}/requests/${chunkStem(index)}.json`;
}

export function resultPath(sourceDate: string, index: number): string {
  return `${runtimeDir(sourceDate)}/results/${chunkStem(index)}.json`;
}

/** Earlier attempts keep their place beside the accepted (else the latest) one. */
export function attemptPath(sourceDate: string, index: number, attempt: number): string {
  return `${runtimeDir(sourceDate)}/results/attempts/${chunkStem(index)}.attempt-${String(attempt).padStart(2, "0")}.json`;
}
