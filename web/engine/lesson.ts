// A lesson in the engine: what it shows, how it grades, what it reveals. A question is asked with
// the numbers of a seed (0: the source's own) and in the number marks of a locale.

import type { LockstepLesson } from "lockstep-module";
import type { LessonPage } from "./lesson-page";
import type { Prose } from "./prose";
import type { Result } from "./result";

/** How numbers are typed and shown; without one, marks with two readings are asked about. */
export type Locale = "en" | "de" | "fr" | "ch" | "in";

/** Which question, with which numbers, in which locale. */
export interface Ask {
  readonly question: string;
  /** 0 to 2^32 − 1. */
  readonly seed: number;
  readonly locale?: Locale | undefined;
}

/** What a learner sees of a question: no key, no mistake, no solution. */
export interface QuestionView {
  readonly id: string;
  readonly type: string;
  readonly skill: string;
  readonly revision: number;
  /** Of what grading depends on, 16 hexadecimal digits; words do not change it. */
  readonly hash: string;
  readonly seed: number;
  /** The drawn parameters, each as exact text: ["devices", "8"]. */
  readonly numbers: readonly (readonly [name: string, value: string])[];
  readonly prompt: Prose;
  /** "(3 decimals)", or empty. */
  readonly suffix: string;
  /** How to type the answer, or empty. */
  readonly typing: string;
  /** Of a choice, in the order shown. */
  readonly options: readonly {
    readonly id: string;
    readonly label: string;
    readonly text: Prose;
  }[];
  /** How many there are to open. */
  readonly hints: number;
}

export type VerdictKind = "correct" | "incorrect" | "partial" | "invalid" | "needs_precision";

export interface Verdict {
  readonly kind: VerdictKind;
  /** Finer than the kind: "rounded_not_cut", "mistake:no-communication" (question/verdict.h). */
  readonly code: string;
  /** An exact fraction from "0" to "1". */
  readonly credit: string;
  /** How the answer was read: "6 2/3 = 6.667"; empty where it was not. */
  readonly understood: string;
  /** A sentence for the learner; empty where correct. */
  readonly message: string;
  /** Id of the foreseen mistake. */
  readonly mistake: string | null;
}

/** What may be shown once the learner is done. */
export interface Reveal {
  /** The key in every form. */
  readonly answers: readonly string[];
  readonly solution: Prose;
  readonly mistakes: readonly {
    readonly id: string;
    readonly answer: string;
    readonly say: string;
  }[];
}

export interface WorksheetOptions {
  readonly seed: number;
  readonly locale?: Locale | undefined;
  readonly paper: "a4" | "letter";
}

/** Reads the JSON text that a call of the module gives. */
export type ReadJson = <Value>(call: () => string) => Result<Value>;

/** A lesson that was loaded. Free it when its page is left. */
export class Lesson {
  constructor(
    private readonly handle: LockstepLesson,
    private readonly readJson: ReadJson,
  ) {}

  page(locale?: Locale): Result<LessonPage> {
    return this.readJson(() => this.handle.page(locale ?? ""));
  }

  view({ question, seed, locale }: Ask): Result<QuestionView> {
    return this.readJson(() => this.handle.view(question, seed, locale ?? ""));
  }

  /** The verdict on an answer as it was typed; of a choice the option's id or letter. */
  grade({ question, seed, locale }: Ask, answer: string): Result<Verdict> {
    return this.readJson(() => this.handle.grade(question, seed, locale ?? "", answer));
  }

  hints({ question, seed, locale }: Ask): Result<{ readonly hints: readonly Prose[] }> {
    return this.readJson(() => this.handle.hints(question, seed, locale ?? ""));
  }

  reveal({ question, seed, locale }: Ask): Result<Reveal> {
    return this.readJson(() => this.handle.reveal(question, seed, locale ?? ""));
  }

  /** A page to print (web/print), the bytes that `lockstep worksheet` writes. */
  worksheet({ seed, locale, paper }: WorksheetOptions): Result<{ readonly html: string }> {
    return this.readJson(() => this.handle.worksheet(seed, locale ?? "", paper));
  }

  free(): void {
    this.handle.delete();
  }
}
