import { MAX_CONFIG_BYTES } from "@/server/config/config.rules";

export type ReadText = { kind: "text"; text: string } | { kind: "too_large" | "not_utf8" | "unreadable" };

/** A file's text, decoded strictly, without a byte order mark. */
export async function readTextFile(file: Pick<File, "size" | "arrayBuffer">): Promise<ReadText> {
  if (file.size > MAX_CONFIG_BYTES) return { kind: "too_large" };
  let bytes: ArrayBuffer;
  try {
    bytes = await file.arrayBuffer();
  } catch {
    // A folder, or a file that was removed after it was chosen.
    return { kind: "unreadable" };
  }
  try {
    return { kind: "text", text: new TextDecoder("utf-8", { fatal: true }).decode(bytes) };
  } catch {
    return { kind: "not_utf8" };
  }
}

/** Hands the text to the browser as a download. */
export function downloadText(name: string, text: string): void {
  const address = URL.createObjectURL(new Blob([text], { type: "application/yaml" }));
  const link = document.createElement("a");
  link.href = address;
  link.download = name;
  link.click();
  URL.revokeObjectURL(address);
}
