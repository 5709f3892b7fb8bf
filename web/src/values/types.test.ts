import { expect, it } from "vitest";
import { tellsItsType } from "./Values";

it("leaves out the type that a text begins with", () => {
  expect(tellsItsType({ type: "list", summary: "[1, 2]" })).toBe(true);
  expect(tellsItsType({ type: "Item", summary: "Item(name='tea')" })).toBe(true);
  expect(tellsItsType({ type: "", summary: "3" })).toBe(true);
});

it("names a type that a text does not show", () => {
  expect(tellsItsType({ type: "Stack", summary: "[1, 2]" })).toBe(false);
  expect(tellsItsType({ type: "list", summary: "self.items, the same object" })).toBe(false);
  expect(tellsItsType({ type: "Colour", summary: "Colour.RED" })).toBe(false);
});
