import { expect, test } from "vitest";
import { detailsMax, mergeProgress, noProgress, type Progress } from "../../../web/progress/merge";
import { answer, detail, progressText, randomProgress, seeded, slow } from "./support";

const pairs = 10_000;

function forRandomSets(
  law: (one: Progress, two: Progress, three: Progress) => [Progress, Progress],
) {
  for (let seed = 1; seed <= pairs; ++seed) {
    const random = seeded(seed);
    const sets = [randomProgress(random), randomProgress(random), randomProgress(random)] as const;
    const [left, right] = law(...sets).map(progressText);
    if (left !== right) expect.fail(`seed ${seed}: ${left} is not ${right}`);
  }
}

/** `count` answers of one writer with details, so many that only the newest are kept. */
function manyAnswers(writer: number, first: number, count: number): Progress {
  const events = Array.from({ length: count }, (_, index) => ({
    id: `${String(writer).padStart(16, "0")}-${index + 1}`,
    ...answer(first + index * 3),
  }));
  return {
    events: new Map(events.map((event) => [event.id, event])),
    details: new Map(events.map(({ id, ms }) => [id, { id, ms, ...detail(id) }])),
  };
}

test("merging is commutative", slow, () => {
  forRandomSets((one, two) => [mergeProgress(one, two), mergeProgress(two, one)]);
});

test("merging is associative", slow, () => {
  forRandomSets((one, two, three) => [
    mergeProgress(mergeProgress(one, two), three),
    mergeProgress(one, mergeProgress(two, three)),
  ]);
});

test("merging is idempotent, and nothing is its neutral element", slow, () => {
  forRandomSets((one) => [mergeProgress(one, one), one]);
  forRandomSets((one) => [mergeProgress(one, noProgress()), one]);
});

test("no event is lost in merging", () => {
  for (let seed = 1; seed <= 1000; ++seed) {
    const random = seeded(seed);
    const [one, two] = [randomProgress(random), randomProgress(random)];
    const ids = new Set([...one.events.keys(), ...two.events.keys()]);
    expect(new Set(mergeProgress(one, two).events.keys()), `seed ${seed}`).toEqual(ids);
  }
});

test("the laws hold too where more answers come together than keep their details", () => {
  const [one, two, three] = [
    manyAnswers(1, 0, 150),
    manyAnswers(2, 1, 150),
    manyAnswers(3, 2, 150),
  ];
  const left = mergeProgress(mergeProgress(one, two), three);
  expect(progressText(left)).toBe(progressText(mergeProgress(one, mergeProgress(two, three))));
  expect(progressText(left)).toBe(progressText(mergeProgress(mergeProgress(three, one), two)));
  expect(left.events.size).toBe(450);
  expect(left.details.size).toBe(detailsMax);
  // 450 answers at minutes 0 … 449, of which the last 200 begin at minute 250
  const times = [...left.details.values()].map(({ ms }) => ms);
  expect(Math.min(...times)).toBe(answer(250).ms);
});
