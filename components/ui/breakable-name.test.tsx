import { render } from "@testing-library/react";
import { expect, it } from "vitest";
import { BreakableName } from "./breakable-name";

it.each([
  ["openrouter/qwen/qwen3-235b:free", "openrouter/|qwen/|qwen3-|235b:|free"],
  ["gpt_4.1", "gpt_|4.|1"],
  ["https://x--y", "https://|x--|y"],
  ["plain", "plain"],
  ["ends-", "ends-"],
  ["", ""],
])("breaks %j after its marks", (name, parts) => {
  const { container } = render(<BreakableName name={name} />);
  expect(container.innerHTML.replaceAll("<wbr>", "|")).toBe(parts);
  // Copied and searched, it is the name.
  expect(container.textContent).toBe(name);
});
