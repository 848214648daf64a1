import { cleanup, fireEvent, render, screen } from "@testing-library/react";
import { afterEach, expect, it, vi } from "vitest";
import { ConfirmDialog } from "./dialog";
import { UiLabelsProvider } from "./ui-labels";

afterEach(cleanup);

const LABELS = { close: "Close", cancel: "Cancel", retry: "Try again", copied: "Copied", loading: "Loading" };

function show(pending = false) {
  const onConfirm = vi.fn();
  const onOuterSubmit = vi.fn();
  render(
    <UiLabelsProvider value={LABELS}>
      <form onSubmit={onOuterSubmit}>
        <ConfirmDialog
          open
          onOpenChange={() => {}}
          title="Pause?"
          description="It waits."
          confirmLabel="Pause"
          pending={pending}
          onConfirm={onConfirm}
        >
          <input aria-label="Reason" />
        </ConfirmDialog>
      </form>
    </UiLabelsProvider>,
  );
  return { onConfirm, onOuterSubmit };
}

/** The browser submits the form of a field when Enter is pressed in it; jsdom is told to. */
function pressEnterIn(field: HTMLElement) {
  if (!(field instanceof HTMLInputElement) || field.form === null) throw new Error("the field has no form");
  field.form.requestSubmit();
}

it("Enter in a field confirms, and submits nothing around the dialog", () => {
  const { onConfirm, onOuterSubmit } = show();
  pressEnterIn(screen.getByLabelText("Reason"));
  expect(onConfirm).toHaveBeenCalledOnce();
  expect(onOuterSubmit).not.toHaveBeenCalled();
});

it("the button confirms once; while it is pending neither it nor Enter does", () => {
  const { onConfirm } = show();
  fireEvent.click(screen.getByRole("button", { name: "Pause" }));
  expect(onConfirm).toHaveBeenCalledOnce();
  cleanup();
  const second = show(true);
  fireEvent.click(screen.getByRole("button", { name: "Pause" }));
  pressEnterIn(screen.getByLabelText("Reason"));
  expect(second.onConfirm).not.toHaveBeenCalled();
});
