/** `data-shortcuts="off"` on the document's element: the operator switched single-key shortcuts off (WCAG 2.1.4). */
export const SHORTCUTS_ATTRIBUTE = "shortcuts";

/** True while a key is not ours: shortcuts are off, someone types, a menu or a dialog is open, or the browser wants it. */
export function isShortcutBlocked(event: KeyboardEvent): boolean {
  if (document.documentElement.dataset[SHORTCUTS_ATTRIBUTE] === "off") return true;
  if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return true;
  const { target } = event;
  if (!(target instanceof HTMLElement)) return false;
  return (
    target.isContentEditable ||
    target.closest("input, textarea, select, [role=menu], [role=listbox], [role=dialog], [role=alertdialog]") !== null
  );
}
