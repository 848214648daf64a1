import { cleanup, fireEvent, render, screen } from "@testing-library/react";
import { afterEach, describe, expect, it, vi } from "vitest";
import { Button } from "./button";

afterEach(cleanup);

describe("a button with a reason not to press it", () => {
  it("stays focusable, says the reason and does nothing", () => {
    const onClick = vi.fn();
    render(
      <Button disabledReason="No chunk has failed" onClick={onClick}>
        Retry
      </Button>,
    );
    const button = screen.getByRole("button", { name: /Retry/ });
    fireEvent.click(button);
    expect(onClick).not.toHaveBeenCalled();
    expect(button.getAttribute("aria-disabled")).toBe("true");
    expect(button.hasAttribute("disabled")).toBe(false);
    expect(document.getElementById(button.getAttribute("aria-describedby") ?? "")?.textContent).toBe("No chunk has failed");
  });

  it("does not send its form", () => {
    const onSubmit = vi.fn((event: Event) => event.preventDefault());
    render(
      <form onSubmit={(event) => onSubmit(event.nativeEvent)}>
        <Button type="submit" disabledReason="Not yet">
          Send
        </Button>
      </form>,
    );
    fireEvent.click(screen.getByRole("button"));
    expect(onSubmit).not.toHaveBeenCalled();
  });
});

it("does nothing while pending, and does its work otherwise", () => {
  const onClick = vi.fn();
  const { rerender } = render(
    <Button pending onClick={onClick}>
      Save
    </Button>,
  );
  fireEvent.click(screen.getByRole("button"));
  expect(onClick).not.toHaveBeenCalled();
  rerender(<Button onClick={onClick}>Save</Button>);
  fireEvent.click(screen.getByRole("button"));
  expect(onClick).toHaveBeenCalledTimes(1);
});
