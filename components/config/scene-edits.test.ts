import { describe, expect, it } from "vitest";
import {
  addCandidate,
  changeCandidate,
  isRouted,
  moveCandidate,
  type RoutedRow,
  removeCandidate,
  renameScene,
  toggleCapability,
} from "./scene-edits";
import { buildSceneRow } from "./testing-evaluation";

const single = buildSceneRow({ scene: "extract", own: "openai/gpt-4o", inherited: false });
const inherited = buildSceneRow({ scene: "planner", own: null, inherited: true });
const routedRow = buildSceneRow({
  scene: "extract",
  own: { candidates: ["a/1", "b/2", "c/3"], requires: ["general"] },
  inherited: false,
});
if (!isRouted(routedRow)) throw new Error("the row lists candidates");
const routed: RoutedRow = routedRow;

describe("edits of a scene", () => {
  it("change one candidate in its place", () => {
    expect(changeCandidate(routed, 1, "x/9")).toEqual([{ path: ["models", "extract", "candidates", 1], value: "x/9" }]);
    expect(changeCandidate(single, 0, "x/9")).toEqual([{ path: ["models", "extract"], value: "x/9" }]);
    expect(changeCandidate(inherited, 0, "x/9")).toEqual([{ path: ["models", "planner"], value: "x/9" }]);
  });

  it("add one behind the others, and make a list where there was none", () => {
    expect(addCandidate(routed, "d/4")).toEqual([{ path: ["models", "extract", "candidates", 3], value: "d/4" }]);
    expect(addCandidate(single, "d/4")).toEqual([
      { path: ["models", "extract"], value: { candidates: ["openai/gpt-4o", "d/4"] } },
    ]);
    expect(addCandidate(inherited, "d/4")).toEqual([
      { path: ["models", "planner"], value: { candidates: ["openai/gpt-4o-mini", "d/4"] } },
    ]);
  });

  it("move and remove", () => {
    expect(moveCandidate(routed, 2, -1)).toEqual([
      { path: ["models", "extract", "candidates", 2], value: "b/2" },
      { path: ["models", "extract", "candidates", 1], value: "c/3" },
    ]);
    expect(moveCandidate(routed, 0, -1)).toEqual([]);
    expect(removeCandidate(routed, 0)).toEqual([{ path: ["models", "extract", "candidates", 0] }]);
  });

  it("ask for a capability or no longer", () => {
    expect(toggleCapability(routed, "coding")).toEqual([
      { path: ["models", "extract", "requires"], value: ["coding", "general"] },
    ]);
    expect(toggleCapability(routed, "general")).toEqual([{ path: ["models", "extract", "requires"] }]);
  });

  it("rename with all that belongs to the scene", () => {
    expect(renameScene(routed, "distil")).toEqual([
      { path: ["models", "extract"] },
      { path: ["models", "distil"], value: { candidates: ["a/1", "b/2", "c/3"], requires: ["general"] } },
    ]);
  });
});
