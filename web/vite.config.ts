import react from "@vitejs/plugin-react";
import { defineConfig } from "vitest/config";

// Addresses are relative: the page lives below a secret that changes with every start.
export default defineConfig({
  base: "./",
  plugins: [react()],
  css: { modules: { localsConvention: "camelCaseOnly" } },
  build: {
    outDir: "../src/wrongcall/web/page",
    emptyOutDir: true,
    target: "es2022",
    modulePreload: { polyfill: false },
    // Nothing is inlined: the page may load files of its own only.
    assetsInlineLimit: 0,
    chunkSizeWarningLimit: 800,
  },
  test: {
    environment: "happy-dom",
    css: { include: /.+/ },
    include: ["src/**/*.test.{ts,tsx}"],
    setupFiles: ["src/testing/setup.ts"],
    restoreMocks: true,
  },
});
