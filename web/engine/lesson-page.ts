// What the pages of lessons and chapters hold, field for field (engine/json/lesson_json.h).

import type { Prose } from "./prose";

export interface LessonPage {
  readonly id: string;
  readonly chapter: string;
  /** BCP 47: "en". */
  readonly language: string;
  readonly title: string;
  readonly subject: string;
  readonly audience: string;
  readonly attribution: {
    readonly author: string;
    readonly licence: string;
    readonly based_on?: string;
  };
  readonly skills: readonly { readonly id: string; readonly title: string }[];
  readonly outcomes: readonly Prose[];
  readonly predict: AskedQuestion;
  readonly idea: readonly Section[];
  readonly demonstrations: readonly Demonstration[];
  readonly experiments: readonly Experiment[];
  readonly functions: readonly FunctionNote[];
  /** In the order of the file; their words come from `view`. */
  readonly questions: readonly {
    readonly id: string;
    readonly type: string;
    readonly skill: string;
    readonly revision: number;
  }[];
  readonly parts: readonly Part[];
  readonly check: AskedQuestion;
}

/** A question with the words around it. */
export interface AskedQuestion {
  readonly question: string;
  readonly text: Prose;
}

export interface Section {
  readonly title: string;
  readonly text: Prose;
  /** Id of what stands below the text. */
  readonly demonstration?: string;
}

export interface Slider {
  readonly values: readonly number[];
  readonly start: number;
}

interface Shown {
  readonly id: string;
  readonly title: string;
  readonly text: Prose;
}

export type Demonstration = Shown &
  (
    | {
        readonly kind: "speedup_slider";
        readonly single_s: number;
        readonly devices: Slider;
        readonly communication_s: Slider;
      }
    | {
        readonly kind: "pipeline_grid";
        readonly schedule: string;
        readonly stages: Slider;
        readonly microbatches: Slider;
      }
  );

export type Experiment = Shown & { readonly seed: number } & (
    | { readonly kind: "data_parallel_run"; readonly devices: number; readonly rows: number }
    | {
        readonly kind: "pipeline_run";
        readonly schedule: string;
        readonly stages: number;
        readonly microbatches: number;
      }
    | {
        readonly kind: "product_run";
        readonly data: number;
        readonly tensor: number;
        readonly stages: number;
        readonly microbatches: number;
        readonly steps: number;
      }
  );

/** A function that the learner writes. */
export interface FunctionNote {
  readonly name: string;
  readonly parameters: readonly string[];
  readonly text: Prose;
  readonly formula?: string;
  readonly raises?: Prose;
}

/** A stretch of work; the lists hold ids and names. */
export interface Part {
  readonly title: string;
  readonly text: Prose;
  readonly questions: readonly string[];
  readonly experiments: readonly string[];
  readonly functions: readonly string[];
}

/** What the lessons of a chapter share. */
export interface ChapterPage {
  readonly id: string;
  readonly language: string;
  readonly title: string;
  readonly summary: Prose;
  readonly context: Prose;
  readonly notation: readonly { readonly symbol: string; readonly meaning: Prose }[];
  readonly worked_example: Prose;
  readonly reference_code: {
    readonly language: string;
    readonly text: Prose;
    readonly lines: readonly string[];
  };
  readonly common_mistakes: readonly Prose[];
  readonly sources: readonly {
    readonly title: string;
    readonly by: string;
    readonly url?: string;
  }[];
}
