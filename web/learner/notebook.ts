// One lesson with one learner: everything between the elements of a lesson, the engine that grades
// and the log that keeps. An answer is kept before its verdict is given back, so that what was
// shown is also saved.

import type { Engine } from "../engine/engine";
import type { Ask, Lesson, Locale, QuestionView, Reveal, Verdict } from "../engine/lesson";
import type { LessonPage } from "../engine/lesson-page";
import { answerFlags, type Star } from "../engine/progress";
import type { Prose } from "../engine/prose";
import { failure, type Result, success } from "../engine/result";
import type { Drafts } from "../progress/drafts";
import { type AnswerDetail, detailTextMax, type ProgressEvent } from "../progress/event";
import type { Mode, ProgressLog } from "../progress/log";
import type { Damage } from "../progress/slot-pair";

export interface NotebookParts {
  readonly engine: Engine;
  readonly lesson: Lesson;
  readonly page: LessonPage;
  readonly log: ProgressLog;
  readonly drafts: Drafts;
  /** Told "change" here whenever the progress has changed, by this page or by another tab. */
  readonly changes: EventTarget;
  /** How numbers are typed; without one, marks with two readings are asked about. */
  readonly locale?: Locale;
}

/** An answer as the learner gives it. */
export interface Answering {
  readonly question: string;
  readonly seed: number;
  /** As typed; of a choice the option's id. */
  readonly text: string;
  /** How many were open. */
  readonly hints: number;
  /** 0 not asked, 1 a guess, 2 think so, 3 sure. */
  readonly confidence: number;
}

export interface Answered {
  readonly verdict: Verdict;
  /** False where the answer is kept in this page only: see `mode`. */
  readonly saved: boolean;
}

/** An answer of earlier on. */
export interface PastAnswer {
  /** UTC milliseconds since 1970. */
  readonly ms: number;
  /** Whether it was given on this learning day. */
  readonly isToday: boolean;
  readonly seed: number;
  readonly text: string;
  /** Graded anew; none where the question is graded by other rules now. */
  readonly verdict: Verdict | undefined;
}

export interface Draft {
  readonly seed: number;
  readonly text: string;
}

export interface SkillStar {
  readonly skill: string;
  readonly title: string;
  /** None for a skill that no answer has rated yet. */
  readonly star: Star | undefined;
}

/** Where no locale is set: BCP 47's word for "undetermined". */
const noLocale = "und";

export class Notebook {
  constructor(private readonly parts: NotebookParts) {}

  /** Where answers are kept. */
  get mode(): Mode {
    return this.parts.log.mode;
  }

  /** What stands in the browser's storage and cannot be read: to be told, and offered as files. */
  get damages(): readonly Damage[] {
    return this.parts.log.damages;
  }

  /** Everything that is kept of the learner, as the text of a file. */
  exportText(): string {
    return this.parts.log.exportText();
  }

  get changes(): EventTarget {
    return this.parts.changes;
  }

  view(question: string, seed: number): Result<QuestionView> {
    return this.parts.lesson.view(this.ask(question, seed));
  }

  hints(question: string, seed: number): Result<{ readonly hints: readonly Prose[] }> {
    return this.parts.lesson.hints(this.ask(question, seed));
  }

  reveal(question: string, seed: number): Result<Reveal> {
    return this.parts.lesson.reveal(this.ask(question, seed));
  }

  /** Grades an answer and keeps it. */
  answer(given: Answering): Result<Answered> {
    return this.keep(given, this.hasFeedbackToday(given.question) ? answerFlags.retry : 0);
  }

  /** Keeps an answer as the prediction before the lesson. It rates nothing. */
  predict(question: string, seed: number, text: string): Result<Answered> {
    const given = { question, seed, text, hints: 0, confidence: 0 };
    return this.keep(given, answerFlags.prediction);
  }

  /** Gives the solution; where the question was not answered today, that counts as giving up. */
  giveUp(given: Answering): Result<Reveal> {
    const revealed = this.reveal(given.question, given.seed);
    if (revealed.type === "error" || this.hasFeedbackToday(given.question)) return revealed;
    const kept = this.keep(given, answerFlags.gaveUp | answerFlags.solutionSeen);
    return kept.type === "error" ? kept : revealed;
  }

  /** The newest answer to a question that was read as one, or the newest prediction. */
  past(question: string, kind: "answer" | "prediction"): PastAnswer | undefined {
    const { log, lesson } = this.parts;
    const event = this.newest(question, (each) => this.isOf(each, kind));
    const detail = event && log.answers().get(event.id);
    if (!event || !detail || detail.text === null) return undefined;
    const { seed, text } = detail;
    const view = this.view(question, seed);
    const isSame = view.type === "value" && view.value.hash === detail.hash;
    const verdict = isSame ? lesson.grade(this.ask(question, seed), text) : undefined;
    return {
      ms: event.ms,
      isToday: event.day === this.today(),
      seed,
      text,
      verdict: verdict?.type === "value" ? verdict.value : undefined,
    };
  }

  /** The stars of the lesson's skills, as they are now. */
  stars(): Result<readonly SkillStar[]> {
    const { engine, log, page } = this.parts;
    const replay = engine.replayAnswers(log.list(), log.moment());
    if (replay.type === "error") return replay;
    const known = new Map(replay.value.skills.map(({ skill, star }) => [skill, star]));
    return success(page.skills.map(({ id, title }) => ({ skill: id, title, star: known.get(id) })));
  }

  /** What was typed and not answered yet. */
  readDraft(question: string): Draft | undefined {
    const kept = /^(\d{1,10}):(.+)$/s.exec(this.parts.drafts.read(this.fullId(question)));
    return kept ? { seed: Number(kept[1]), text: kept[2] ?? "" } : undefined;
  }

  /** Keeps what is typed, or drops the draft where the text is empty. */
  keepDraft(question: string, { seed, text }: Draft): void {
    this.parts.drafts.keep(this.fullId(question), text === "" ? "" : `${seed}:${text}`);
  }

  private ask(question: string, seed: number): Ask {
    return { question, seed, locale: this.parts.locale };
  }

  private fullId(question: string): string {
    return `${this.parts.page.id}/${question}`;
  }

  private keep(given: Answering, flags: number): Result<Answered> {
    const { engine, lesson, log } = this.parts;
    const ask = this.ask(given.question, given.seed);
    const view = lesson.view(ask);
    if (view.type === "error") return view;
    const verdict = lesson.grade(ask, given.text);
    if (verdict.type === "error") return verdict;
    const allFlags = flags | (view.value.type === "choice" ? answerFlags.choice : 0);
    const { kind } = verdict.value;
    const { hints, confidence } = given;
    const rated = engine.rateAnswer({ verdict: kind, hints, confidence, flags: allFlags });
    if (rated.type === "error") return rated;
    const moment = log.moment();
    const day = engine.learningDay(moment);
    if (day.type === "error") return day;
    const recorded = log.record(
      {
        skill: view.value.skill,
        question: this.fullId(given.question),
        revision: view.value.revision,
        ...moment,
        ...day.value,
        ...rated.value,
        verdict: kind,
        hints,
        confidence,
        flags: allFlags,
      },
      detailOf(given, view.value, verdict.value, this.parts.locale),
    );
    if (recorded.type === "refused") {
      const { where, message } = recorded.fault;
      return failure({ code: "not_kept", where, message });
    }
    if (isJudged(verdict.value)) this.parts.drafts.drop(this.fullId(given.question));
    this.changes.dispatchEvent(new Event("change"));
    return success({ verdict: verdict.value, saved: recorded.saved });
  }

  private eventsOf(question: string): readonly ProgressEvent[] {
    const id = this.fullId(question);
    return this.parts.log.list().filter((event) => event.question === id);
  }

  private newest(
    question: string,
    wanted: (event: ProgressEvent) => boolean,
  ): ProgressEvent | undefined {
    return this.eventsOf(question).filter(wanted).at(-1);
  }

  private isOf(event: ProgressEvent, kind: "answer" | "prediction"): boolean {
    if ((event.flags & answerFlags.gaveUp) !== 0) return false;
    const isPrediction = (event.flags & answerFlags.prediction) !== 0;
    return isPrediction === (kind === "prediction") && isJudged({ kind: event.verdict });
  }

  private today(): number | undefined {
    const { engine, log } = this.parts;
    const today = engine.learningDay(log.moment());
    return today.type === "value" ? today.value.day : undefined;
  }

  /** Whether the learner was told today whether an answer to the question is right. */
  private hasFeedbackToday(question: string): boolean {
    const today = this.today();
    return this.eventsOf(question).some(
      (event) =>
        event.day === today &&
        (event.flags & answerFlags.prediction) === 0 &&
        (isJudged({ kind: event.verdict }) || (event.flags & answerFlags.gaveUp) !== 0),
    );
  }
}

/** Not of what could not be read or had too few digits. */
function isJudged({ kind }: { readonly kind: string }): boolean {
  return kind === "correct" || kind === "incorrect" || kind === "partial";
}

function detailOf(
  { seed, text }: Answering,
  view: QuestionView,
  verdict: Verdict,
  locale: Locale | undefined,
): Omit<AnswerDetail, "id" | "ms"> {
  return {
    text: text.length <= detailTextMax ? text : null,
    locale: locale ?? noLocale,
    seed,
    numbers: view.numbers,
    code: verdict.code,
    hash: view.hash,
  };
}
