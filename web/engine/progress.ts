// What the engine's JSON texts about answers and stars hold, field for field
// (engine/json/progress_json.h).

import type { VerdictKind } from "./lesson";

/** An instant and the local time minus UTC in it. */
export interface Moment {
  readonly ms: number;
  readonly offset_min: number;
}

/** 1 again, 2 hard, 3 good, 4 easy. */
export type Rating = 1 | 2 | 3 | 4;

/** What an answer's rating is made of. */
export interface Attempt {
  readonly verdict: VerdictKind;
  /** How many were open when the answer came. */
  readonly hints?: number;
  /** 0 not asked, 1 a guess, 2 think so, 3 sure. */
  readonly confidence?: number;
  /** Bits of AnswerFlag (engine/lesson/rating.h). */
  readonly flags?: number;
  /** Since the skill's last answer that counted; 0 for the first. */
  readonly elapsed_days?: number;
}

/** What a replay needs of an event of the log; other fields of it are passed over. */
export interface AnswerEvent {
  readonly id: string;
  readonly skill: string;
  readonly ms: number;
  readonly day: number;
  readonly rating: number | null;
}

/** A skill that a lesson calls by another name now. */
export interface Renaming {
  readonly from: string;
  readonly to: string;
}

export type Band = "unlit" | "relearn" | "bright" | "due" | "dim" | "faint";

/** What the sky shows of a skill (engine/lesson/star.h). */
export interface Star {
  readonly band: Band;
  /** 0 (outline only) or 0.3 to 1. */
  readonly brightness: number;
  /** 1 to 4, by stability. */
  readonly size: number;
  readonly retrievability: number;
  readonly interval_days: number;
  /** Below 0 when overdue. */
  readonly due_in_days: number;
}

/** What is known of a skill that was rated at least once. */
export interface SkillState {
  readonly skill: string;
  readonly stability_days: number;
  readonly difficulty: number;
  readonly last_day: number;
  readonly last_ms: number;
  readonly reps: number;
  readonly lapses: number;
  readonly last_rating: Rating;
  readonly ever_right: boolean;
  readonly due_day: number;
  readonly star: Star;
}

export interface Replay {
  /** Today's learning day, for which the stars are. */
  readonly day: number;
  /** By name; of skills that were ever rated. */
  readonly skills: readonly SkillState[];
  /** Of events too far ahead of now. */
  readonly future_ids: readonly string[];
}

/** Bits of an answer's flags (engine/lesson/rating.h). */
export const answerFlags = {
  /** Feedback on the question was seen before, on the same learning day. */
  retry: 1,
  prediction: 2,
  gaveUp: 4,
  solutionSeen: 8,
  /** Options to choose from, where a guess can be right. */
  choice: 32,
} as const;
