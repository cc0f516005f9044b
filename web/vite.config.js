import { defineConfig } from "vite";
import { viteSingleFile } from "vite-plugin-singlefile";

// One file: the tool carries it as text and puts the data of a run in.
export default defineConfig({
  plugins: [viteSingleFile({ removeViteModuleLoader: true })],
  build: { target: "es2020", modulePreload: false, reportCompressedSize: false },
  server: { host: "127.0.0.1" },
});
