import { SHORTCUTS_ATTRIBUTE } from "@/components/ui/shortcut";

const STORAGE_KEY = "switchyard-shortcuts";
const watchers = new Set<() => void>();

export function areKeysOn(): boolean {
  return document.documentElement.dataset[SHORTCUTS_ATTRIBUTE] !== "off";
}

export function setKeysOn(on: boolean): void {
  localStorage.setItem(STORAGE_KEY, on ? "on" : "off");
  document.documentElement.dataset[SHORTCUTS_ATTRIBUTE] = on ? "on" : "off";
  for (const watcher of watchers) watcher();
}

/** Once per page load: what was chosen before. */
export function restoreKeysSetting(): void {
  if (localStorage.getItem(STORAGE_KEY) === "off") document.documentElement.dataset[SHORTCUTS_ATTRIBUTE] = "off";
}

export function subscribeKeys(watcher: () => void): () => void {
  watchers.add(watcher);
  return () => watchers.delete(watcher);
}
