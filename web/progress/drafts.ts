// What is typed and not yet answered, kept as it stands when the page is hidden: on a phone that
// may be the last thing a page gets to do.

import { attempt, type Environment, keyPrefix } from "./environment";

/** Letters of a draft, as many as the longest text of an exercise file has. */
export const draftLengthMax = 20_000;

/** Drafts by the id of their question. Nothing throws; a draft is a comfort, not progress. */
export class Drafts {
  private readonly prefix: string;

  constructor(
    private readonly environment: Environment,
    site: string,
  ) {
    this.prefix = `${keyPrefix(site)}draft/`;
  }

  /** Keeps `text`, or removes the draft where it is empty. Whether that was done. */
  keep(question: string, text: string): boolean {
    if (text === "") return this.drop(question);
    if (text.length > draftLengthMax) return false;
    const key = this.prefix + question;
    const kept = attempt(() => {
      this.environment.storage.write(key, text);
      return this.environment.storage.read(key) === text;
    });
    return "value" in kept && kept.value;
  }

  /** The draft, or an empty text. */
  read(question: string): string {
    const read = attempt(() => this.environment.storage.read(this.prefix + question));
    return "value" in read && read.value !== null && read.value.length <= draftLengthMax
      ? read.value
      : "";
  }

  /** Removes a draft: its question is answered. */
  drop(question: string): boolean {
    return "value" in attempt(() => this.environment.storage.remove(this.prefix + question));
  }
}
