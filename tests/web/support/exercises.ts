// The exercise files that the tests of lessons read.

import { readFileSync } from "node:fs";
import path from "node:path";

const root = path.join(import.meta.dirname, "../../..");

export const lessonPath = "exercises/using-many-devices/lesson.json";
export const chapterPath = "exercises/parallel-training/chapter.json";

export function exerciseBytes(name: string): Uint8Array {
  return readFileSync(path.join(root, name));
}
