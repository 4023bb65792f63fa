import react from "@vitejs/plugin-react";
import { defineConfig } from "vitest/config";

export default defineConfig({
  base: "/studio/",
  plugins: [react()],
  // app/surfaces/pages/studio.py puts a number of its own into every page that it sends.
  html: { cspNonce: "__NONCE__" },
  build: { target: "es2022", assetsInlineLimit: 0, chunkSizeWarningLimit: 1000, manifest: "manifest.json" },
  server: { proxy: { "/graphql": { target: "http://127.0.0.1:8000", ws: true } } },
});
