const AUTHOR_KEY = "switchyard-author";

/** Who saved or decided from this browser last; empty when nobody did, or its storage is switched off. */
export function rememberedAuthor(): string {
  try {
    return localStorage.getItem(AUTHOR_KEY) ?? "";
  } catch {
    return "";
  }
}

export function rememberAuthor(author: string): void {
  try {
    localStorage.setItem(AUTHOR_KEY, author);
  } catch {
    // Only a convenience.
  }
}
