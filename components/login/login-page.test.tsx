import { act, cleanup, fireEvent, render, screen } from "@testing-library/react";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { english } from "@/components/i18n/english/dictionary";
import { I18nProvider } from "@/components/i18n/i18n-provider";
import { isSignedOut, noteSignedIn, noteSignedOut } from "@/components/trpc/session-state";
import { LoginPage } from "./login-page";
import { SessionEnded } from "./session-ended";
import { SignInForm } from "./sign-in-form";

const answer = vi.fn<(url: string, init: RequestInit) => Promise<Response>>();

beforeEach(() => {
  answer.mockReset();
  vi.stubGlobal("fetch", answer);
});
afterEach(() => {
  cleanup();
  vi.useRealTimers();
  vi.unstubAllGlobals();
  noteSignedIn();
});

const wrap = (children: React.ReactNode) => (
  <I18nProvider initialLocale="en" initialDictionary={english} initialZone="utc">
    {children}
  </I18nProvider>
);

function showForm() {
  const onSignedIn = vi.fn();
  render(wrap(<SignInForm next="/runs/new" onSignedIn={onSignedIn} />));
  return onSignedIn;
}

function showPage(refused: "wrong" | "wait" | null = null) {
  render(wrap(<LoginPage next="/runs/new" refused={refused} host="console.test:4310" mark={<svg />} menus={null} />));
}

function field(): HTMLInputElement {
  const input = screen.getByLabelText("Access token");
  if (!(input instanceof HTMLInputElement)) throw new Error("the field is no input");
  return input;
}

const button = () => screen.getByRole("button", { name: "Sign in" });

/** Types the token, presses the button and waits for what comes of it. */
async function enter(token: string): Promise<void> {
  fireEvent.change(field(), { target: { value: token } });
  await act(async () => fireEvent.click(button()));
}

const refusal = (status: number, code: string, headers: Record<string, string> = {}) =>
  Response.json({ error: { code, message: "The server says no." } }, { status, headers });

describe("the sign-in page", () => {
  it("is a form that works by itself", () => {
    showPage();
    const { form } = field();
    expect([form?.method, form?.getAttribute("action")]).toEqual(["post", "/api/sign-in"]);
    const fields = [...(form?.elements ?? [])].flatMap((element) =>
      element instanceof HTMLInputElement ? [[element.name, element.type, element.autocomplete]] : [],
    );
    expect(fields).toEqual([
      ["next", "hidden", ""],
      ["username", "text", "username"],
      ["token", "password", "current-password"],
    ]);
    expect(new FormData(form ?? undefined).get("next")).toBe("/runs/new");
  });

  it("says which server it is, and waits for the token", () => {
    showPage();
    expect(screen.getByRole("heading", { level: 1 }).textContent).toBe("Sign in to Switchyard");
    expect(screen.getByText("on console.test:4310")).toBeDefined();
    expect(document.activeElement).toBe(field());
    expect(field().getAttribute("aria-invalid")).toBeNull();
    expect(screen.queryByRole("alert")).toBeNull();
  });

  it.each([
    ["wrong", "That is not the access token of this server."],
    ["wait", "Too many wrong tokens came from here."],
  ] as const)("says what was %s with a form that was sent without a script", (refused, sentence) => {
    showPage(refused);
    expect(screen.getByRole("alert").textContent).toBe(sentence);
    expect(field().getAttribute("aria-invalid")).toBe("true");
  });
});

describe("the sign-in form", () => {
  it("sends the token and leads on where the server says", async () => {
    noteSignedOut();
    answer.mockResolvedValue(Response.json({ next: "/runs/new" }));
    const onSignedIn = showForm();
    await enter("the-right-token-0123");
    const [url, init] = answer.mock.calls[0] ?? [];
    expect([url, init?.method, init?.headers, String(init?.body)]).toEqual([
      "/api/sign-in",
      "POST",
      { accept: "application/json" },
      "token=the-right-token-0123&next=%2Fruns%2Fnew",
    ]);
    expect(onSignedIn.mock.calls).toEqual([["/runs/new"]]);
    expect(isSignedOut()).toBe(false);
    expect(button().getAttribute("aria-busy")).toBe("true");
  });

  it("does not ask the server about nothing", async () => {
    showForm();
    await enter("  ");
    expect(screen.getByRole("alert").textContent).toBe("Enter the access token.");
    expect(answer).not.toHaveBeenCalled();
  });

  it("says that the token is wrong, and has it ready to be typed over", async () => {
    answer.mockResolvedValue(refusal(401, "unauthorized"));
    const onSignedIn = showForm();
    await enter("wrong");
    expect(screen.getByRole("alert").textContent).toBe("That is not the access token of this server.");
    expect(document.activeElement).toBe(field());
    expect([field().selectionStart, field().selectionEnd]).toEqual([0, 5]);
    expect(onSignedIn).not.toHaveBeenCalled();
    answer.mockResolvedValue(Response.json({ next: "/runs/new" }));
    await enter("right");
    expect([screen.queryByRole("alert"), onSignedIn.mock.calls]).toEqual([null, [["/runs/new"]]]);
  });

  it("counts the seconds down after too many, and is open again then", async () => {
    vi.useFakeTimers({ now: 1_000_000_000 });
    answer.mockResolvedValue(refusal(429, "too_many_requests", { "retry-after": "42" }));
    showForm();
    await enter("wrong");
    expect(screen.getByRole("alert").textContent).toBe("Too many wrong tokens came from here.");
    const described = () => document.getElementById(`${field().id}-error`)?.textContent ?? null;
    expect(described()).toBe("Too many wrong tokens came from here.You can try again in 42 seconds.");
    await act(() => vi.advanceTimersByTimeAsync(41_000));
    expect(described()).toBe("Too many wrong tokens came from here.You can try again in 1 second.");
    fireEvent.submit(field());
    expect([button().getAttribute("aria-disabled"), answer.mock.calls.length]).toEqual(["true", 1]);
    await act(() => vi.advanceTimersByTimeAsync(1_000));
    expect([described(), button().getAttribute("aria-disabled")]).toEqual([null, null]);
    await enter("wrong");
    expect(answer).toHaveBeenCalledTimes(2);
  });

  it.each([
    ["does not answer", () => Promise.reject(new TypeError("failed to fetch"))],
    ["is away behind its proxy", () => Promise.resolve(new Response("<h1>Bad gateway</h1>", { status: 502 }))],
  ])("says that the server %s", async (_what, away) => {
    answer.mockImplementation(away);
    showForm();
    await enter("the-right-token-0123");
    expect(screen.getByRole("alert").textContent).toBe(
      "The server did not answer. Check that it is running and that the connection is up.",
    );
    expect(button().getAttribute("aria-busy")).toBeNull();
  });

  it("repeats what the server says of anything else", async () => {
    answer.mockResolvedValue(refusal(403, "foreign_origin"));
    showForm();
    await enter("the-right-token-0123");
    expect(screen.getByRole("alert").textContent).toBe("The server says no.");
  });

  it("shows the token when asked to", () => {
    showForm();
    fireEvent.click(screen.getByRole("button", { name: "Show the token" }));
    expect(field().type).toBe("text");
    fireEvent.click(screen.getByRole("button", { name: "Hide the token" }));
    expect(field().type).toBe("password");
  });
});

describe("a session that ended", () => {
  it("asks for the token in a window, and put away leaves a bar that brings it back", async () => {
    render(wrap(<SessionEnded />));
    expect(screen.getByRole("dialog", { name: "You are signed out" })).toBeDefined();
    await act(async () => fireEvent.click(screen.getByRole("button", { name: "Close" })));
    expect(screen.queryByRole("dialog")).toBeNull();
    expect(screen.getByRole("alert").textContent).toContain("You are signed out; this page shows nothing new.");
    await act(async () => fireEvent.click(button()));
    expect([screen.queryByRole("alert"), screen.getByRole("dialog").contains(field())]).toEqual([null, true]);
  });
});
