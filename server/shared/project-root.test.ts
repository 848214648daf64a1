import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { findProjectRoot, projectRoot } from "./project-root";

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), "project-root-"));
});

afterEach(() => {
  rmSync(folder, { recursive: true });
});

it("walks up to the package of that name, past other packages and broken ones", () => {
  const inner = path.join(folder, "a", "b", "c");
  mkdirSync(inner, { recursive: true });
  writeFileSync(path.join(folder, "package.json"), '{"name": "switchyard"}');
  writeFileSync(path.join(folder, "a", "package.json"), '{"name": "other"}');
  writeFileSync(path.join(folder, "a", "b", "package.json"), "not json");
  expect(findProjectRoot(inner)).toBe(folder);
});

it("says where it looked when there is none", () => {
  expect(() => findProjectRoot(folder)).toThrow(`No package.json named "switchyard" in ${folder} or above it`);
});

it("finds this project from the working directory", () => {
  expect(projectRoot()).toBe(path.resolve(import.meta.dirname, "../.."));
});
