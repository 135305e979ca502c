// A module of the site alone, as a script that a test's page can load.

import path from "node:path";
import { build, type Rolldown } from "vite";

/** `entry` from the root of the tree: "web/print/print-button.ts". */
export async function bundled(entry: string): Promise<string> {
  const built = await build({
    configFile: false,
    root: path.join(import.meta.dirname, "../../.."),
    logLevel: "error",
    // Lit as a visitor gets it: in a test Vite would take the one that warns of itself.
    resolve: { conditions: ["browser", "module", "production"] },
    build: {
      write: false,
      minify: false,
      lib: { entry, formats: ["es"], fileName: "bundle" },
    },
  });
  const [bundle] = built as Rolldown.RolldownOutput[];
  return bundle?.output[0]?.code ?? "";
}
