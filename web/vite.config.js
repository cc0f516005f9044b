import { createHash } from "node:crypto";
import { defineConfig } from "vite";
import { viteSingleFile } from "vite-plugin-singlefile";

// Only the script and the style that stand in the page may be used there: the policy of index.html names them by their hashes.
const hashes = {
  name: "hashes",
  enforce: "post",
  generateBundle(_, bundle) {
    for (const file of Object.values(bundle)) {
      if (!file.fileName.endsWith(".html")) continue;
      const [, head, policy, rest] = file.source.match(/^([^]*?content=")(default-src [^"]*)("[^]*)$/);
      const hash = (tag) => [...rest.matchAll(tag)].map((m) => `'sha256-${createHash("sha256").update(m[1]).digest("base64")}'`).join(" ");
      const scripts = hash(/<script type="module"[^>]*>([^]*?)<\/script>/g);
      const styles = hash(/<style[^>]*>([^]*?)<\/style>/g);
      if (!scripts || !styles) throw new Error("the page has lost its script or its style");
      file.source = head + policy.replace("script-src 'unsafe-inline'", `script-src ${scripts}`).replace("style-src 'unsafe-inline'", `style-src ${styles}`) + rest;
    }
  },
};

// One file: the tool carries it as text and puts the data of a run in.
export default defineConfig({
  plugins: [viteSingleFile({ removeViteModuleLoader: true }), hashes],
  build: { target: "es2020", modulePreload: false, reportCompressedSize: false },
  server: { host: "127.0.0.1" },
});
