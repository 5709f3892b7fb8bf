import assert from "node:assert/strict";
import { test } from "node:test";
import { namesOn, testsOf } from "../src/lines";
import { questionPage } from "../src/page";

test("tests are found with their classes", () => {
  const text = "def helper():\n  pass\ndef test_a():\n  def test_inner(): pass\nclass TestB:\n  async def test_c(self): pass\nx = 1\ndef test_d(): pass\n";
  assert.deepEqual(testsOf(text), [
    { line: 2, name: "test_a" },
    { line: 5, name: "TestB::test_c" },
    { line: 7, name: "test_d" },
  ]);
});

test("names on a line are variables, not keywords, attributes, calls, strings or comments", () => {
  assert.deepEqual(namesOn('  total = add(total, item.price) if ok else "text" # note'), [
    { name: "total", column: 2 },
    { name: "item", column: 21 },
    { name: "ok", column: 36 },
  ]);
});

test("values of the program are text in the page", () => {
  const page = questionPage({ kind: "question", text: "f('<script>alert(1)</script>')" }, "<b>", "n");
  assert.ok(!page.includes("<script>alert"));
  assert.ok(page.includes("&lt;b&gt;"));
});
