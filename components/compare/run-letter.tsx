import { Badge } from "@/components/ui/badge";

/** A, B, C …: the short name of a compared run, alike in both tables. */
export function letterOf(at: number): string {
  return String.fromCharCode("A".charCodeAt(0) + at);
}

export function RunLetter({ at }: { at: number }) {
  return <Badge>{letterOf(at)}</Badge>;
}
