import { act, cleanup, render, screen } from "@testing-library/react";
import { afterEach, expect, it } from "vitest";
import { createFakeServer, FakeConsole } from "./fake-console";
import { useLiveStatus } from "./live-provider";
import { noteSignedIn, noteSignedOut } from "./session-state";

afterEach(() => {
  cleanup();
  noteSignedIn();
});

function Kind() {
  return <output>{useLiveStatus().kind}</output>;
}

it("gives the stream up when the session has ended, and opens it when it goes on", () => {
  const server = createFakeServer({});
  render(
    <FakeConsole server={server}>
      <Kind />
    </FakeConsole>,
  );
  const shown = () => [screen.getByRole("status").textContent, server.stream.isOpen];
  expect(shown()).toEqual(["live", true]);
  act(noteSignedOut);
  expect(shown()).toEqual(["signedOut", false]);
  act(noteSignedIn);
  expect(shown()).toEqual(["live", true]);
});
