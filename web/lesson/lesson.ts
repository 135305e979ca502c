// <lockstep-lesson lesson="using-many-devices">: a whole lesson from its file.
//
// Attribute `lesson`: the lesson's id. Property `site`: what all lessons of the site share.
// `data-state` is "loading", "failed" or "ready". It renders into the page itself, so that the
// page's headings, anchors, find and print see a lesson as one document.

import { html, LitElement, type PropertyValues, type TemplateResult } from "lit";
import type { RunningEngine } from "../engine/load";
import type { FileResult, Result } from "../engine/result";
import { Notebook } from "../learner/notebook";
import type { Drafts } from "../progress/drafts";
import type { ProgressLog } from "../progress/log";
import { faultNotice } from "./fault-view";
import { lessonView } from "./lesson-view";
import { type LoadedLesson, loadLesson } from "./load";

/** What a page gives every lesson. */
export interface Site {
  readonly engine: Promise<Result<RunningEngine>>;
  /** The folder of the exercise files, as an address that ends with a slash. */
  readonly exercises: string;
  readonly log: ProgressLog;
  readonly drafts: Drafts;
  /** Told "change" here when the progress has changed, by this page or by another tab. */
  readonly changes: EventTarget;
}

/** A lesson with its learner. */
export interface OpenLesson extends LoadedLesson {
  readonly notebook: Notebook;
}

type State = { readonly type: "loading" } | FileResult<OpenLesson>;

export class LessonElement extends LitElement {
  static override properties = {
    lesson: { type: String },
    site: { attribute: false },
    state: { state: true },
  };

  declare lesson: string;
  declare site: Site;
  declare private state: State;

  constructor() {
    super();
    this.state = { type: "loading" };
  }

  protected override createRenderRoot(): HTMLElement {
    return this;
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.close();
  }

  protected override willUpdate(changed: PropertyValues): void {
    if (changed.has("lesson") || changed.has("site")) void this.open();
  }

  override render(): TemplateResult {
    switch (this.state.type) {
      case "loading":
        return skeleton;
      case "value":
        return lessonView(this.state.value);
      default:
        return html`<h1>This lesson cannot be shown</h1>${faultNotice(this.state)}`;
    }
  }

  protected override updated(): void {
    const { type } = this.state;
    this.dataset.state = type === "value" ? "ready" : type === "loading" ? "loading" : "failed";
    if (type !== "value") return;
    const { title, language } = this.state.value.page;
    document.title = `${title} – Lockstep`;
    this.lang = language;
  }

  private async open(): Promise<void> {
    this.close();
    const { lesson: id, site } = this;
    const loaded = await loadLesson(site.engine, site.exercises, id);
    if (this.lesson !== id || !this.isConnected) {
      if (loaded.type === "value") loaded.value.lesson.free();
      return;
    }
    if (loaded.type !== "value") {
      this.state = loaded;
      return;
    }
    const { running, lesson, page } = loaded.value;
    const notebook = new Notebook({ ...site, engine: running.engine, lesson, page });
    site.changes.addEventListener("change", this.onChange);
    this.state = { type: "value", value: { ...loaded.value, notebook } };
  }

  private readonly onChange = (): void => {
    this.requestUpdate();
  };

  private close(): void {
    this.site?.changes.removeEventListener("change", this.onChange);
    if (this.state.type === "value") this.state.value.lesson.free();
    this.state = { type: "loading" };
  }
}

const skeleton = html`
  <p role="status" class="quiet">Loading the lesson.</p>
  <div class="skeleton" aria-hidden="true"><i></i><i></i><i></i><i></i></div>
`;
