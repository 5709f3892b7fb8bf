import { describe, expect, it } from "vitest";
import { editorAddress } from "./preferences";

describe("the address of a line in an editor", () => {
  it("names the whole path for VS Code, with what is special in it escaped", () => {
    const address = editorAddress("vscode", "/home/ann/my shop/prog.py", "prog.py", 12);
    expect(address).toBe("vscode://file/home/ann/my%20shop/prog.py:12");
    expect(editorAddress("vscode", "C:\\shop\\prog.py", "prog.py", 3)).toBe("vscode://file/C%3A/shop/prog.py:3");
  });

  it("names the project and a path inside it for JetBrains editors", () => {
    const address = new URL(editorAddress("jetbrains", "/home/ann/shop/src/prog.py", "src/prog.py", 12));
    expect(address.searchParams.get("project")).toBe("shop");
    expect(address.searchParams.get("path")).toBe("src/prog.py:12");
  });

  it("is none without an editor", () => {
    expect(editorAddress("", "/home/ann/prog.py", "prog.py", 1)).toBe("");
  });
});
