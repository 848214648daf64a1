import { expect, it } from "vitest";
import { listNames, nearNames } from "./near-names";

const MANY = Array.from({ length: 300 }, (_, at) => `team-${at}-scene`);

it("lists a few names as they come", () => {
  expect(listNames("extrakt", ["default", "extract"])).toBe("default, extract");
  expect(nearNames("x", [])).toEqual([]);
});

it("lists of very many the nearest ones, and counts the others", () => {
  expect(nearNames("team-7-scen", MANY)[0]).toBe("team-7-scene");
  expect(listNames("team-7-scen", MANY)).toBe(
    "team-7-scene, team-0-scene, team-1-scene, team-2-scene, team-3-scene, team-4-scene … (+294)",
  );
  // A text of any length costs no more than a name.
  expect(nearNames("k".repeat(100_000), MANY)).toHaveLength(6);
});
