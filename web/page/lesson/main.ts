// The page of a lesson: lesson.html?lesson=<id>.

import { PipelineGrid } from "../../demonstration/pipeline-grid";
import { SpeedupSlider } from "../../demonstration/speedup-slider";
import { ExperimentCode } from "../../experiment/code";
import { ExperimentElement } from "../../experiment/experiment";
import { LessonElement } from "../../lesson/lesson";
import { setPictureStyle } from "../../picture/picture-style";
import { Timeline } from "../../picture/timeline";
import { PrintButton } from "../../print/print-button";
import { WorksheetForm } from "../../print/worksheet-form";
import { QuestionElement } from "../../question/question";
import { openSite } from "../site";

const elements = {
  "lockstep-experiment": ExperimentElement,
  "lockstep-experiment-code": ExperimentCode,
  "lockstep-pipeline-grid": PipelineGrid,
  "lockstep-print-button": PrintButton,
  "lockstep-question": QuestionElement,
  "lockstep-speedup-slider": SpeedupSlider,
  "lockstep-timeline": Timeline,
  "lockstep-worksheet": WorksheetForm,
};
for (const [name, element] of Object.entries(elements)) customElements.define(name, element);

const site = openSite();
void site.engine.then((running) => {
  if (running.type === "value") setPictureStyle(running.value.engine.pictureStylesheet());
});
const lesson = document.querySelector("lockstep-lesson") as LessonElement;
customElements.define("lockstep-lesson", LessonElement);
lesson.lesson = new URLSearchParams(location.search).get("lesson") ?? "";
lesson.site = site;
