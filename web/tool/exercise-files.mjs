// Puts the exercise files into the site as they are, and a list of the lessons into each page that
// asks for it.

import { existsSync } from "node:fs";
import { readdir, readFile } from "node:fs/promises";
import path from "node:path";

/** Where a page wants the list. */
const listMark = "<!-- the lessons -->";

/**
 * Every lesson and chapter below the folder `exercises`.
 *
 * @param {string} exercises
 * @returns {import('vite').Plugin}
 */
export function exerciseFiles(exercises) {
  return {
    name: "exercise-files",
    apply: "build",
    async generateBundle() {
      for (const { name, text } of await readExercises(exercises)) {
        this.emitFile({ type: "asset", fileName: `exercises/${name}`, source: text });
      }
    },
    async transformIndexHtml(page) {
      if (!page.includes(listMark)) return page;
      const files = await readExercises(exercises);
      const lessons = files.filter(({ name }) => name.endsWith("/lesson.json"));
      return page.replace(listMark, () => lessons.map(({ text }) => listItem(text)).join("\n"));
    },
  };
}

/** @param {string} exercises */
async function readExercises(exercises) {
  const folders = (await readdir(exercises)).sort();
  const names = folders
    .flatMap((folder) => [`${folder}/chapter.json`, `${folder}/lesson.json`])
    .filter((name) => existsSync(path.join(exercises, name)));
  return Promise.all(
    names.map(async (name) => ({
      name,
      text: await readFile(path.join(exercises, name), "utf8"),
    })),
  );
}

/** @param {string} lesson the text of its file */
function listItem(lesson) {
  const { id, title, audience } = JSON.parse(lesson);
  return `<li>
          <a href="./lesson.html?lesson=${encodeURIComponent(id)}">${escaped(title)}</a>
          <p>For ${escaped(audience.charAt(0).toLowerCase() + audience.slice(1))}.</p>
        </li>`;
}

/** @param {string} text */
function escaped(text) {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll('"', "&quot;");
}
