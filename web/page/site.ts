// What all pages of a site share: one engine, one log of answers, one folder of exercise files.

import engineAddress from "lockstep-module.wasm?url";
import { openEngine } from "../engine/load";
import type { Site } from "../lesson/lesson";
import { browserEnvironment, isFramedByOthers, keepSaved } from "../progress/browser";
import { Drafts } from "../progress/drafts";
import { ProgressLog } from "../progress/log";

/** Progress is kept under this id: two sites on one server need two. */
const siteId = "lockstep";

/** When the site was built, in UTC milliseconds since 1970 (vite.config.ts). */
declare const __BUILT_MS__: number;

/** Starts what a page needs. */
export function openSite(): Site {
  const changes = new EventTarget();
  const changed = () => changes.dispatchEvent(new Event("change"));
  const environment = browserEnvironment(window);
  const partitioned = isFramedByOthers(window);
  const settings = { site: siteId, built_ms: __BUILT_MS__, partitioned, changed };
  const log = new ProgressLog(environment, settings);
  keepSaved({ window, document }, log, () => {});
  return {
    engine: openEngine(engineAddress),
    exercises: new URL("./exercises/", document.baseURI).href,
    log,
    drafts: new Drafts(environment, siteId),
    changes,
  };
}
