// What <lockstep-experiment> shows of its state.

import { html, nothing, type TemplateResult } from "lit";
import type { DeviceProgress } from "../device/cluster";
import type { DeviceDone } from "../device/messages";
import type { EngineError } from "../engine/result";
import type { GradientReport, RunConfig, RunDescription } from "../engine/run";
import { formatBytes, formatDecimal, formatMilliseconds, formatScientific } from "../view/format";
import type { State } from "./experiment";
import { commandOf } from "./setup";

/** A run as far as it is. */
export interface ShownRun {
  readonly description: RunDescription;
  /** By rank. */
  readonly progress: readonly (DeviceProgress | undefined)[];
  /** What the devices ended with, by rank, once all are done. */
  readonly devices?: readonly DeviceDone[];
}

/** The sentence for the live region. */
function statusText(state: State, shown: ShownRun | undefined, isPossible: boolean): string {
  const devices = devicesText(shown?.description.devices.length ?? 0);
  switch (state.type) {
    case "idle":
      return isPossible ? "Ready." : "This cannot run: the reason stands above.";
    case "running":
      return shown?.devices
        ? "All devices are done. Comparing their gradient with that of a single device."
        : `Running on ${devices}.${lateText(shown)}`;
    case "cancelled":
      return "Cancelled. All devices are stopped.";
    case "done":
      return `Done on ${devices}. ${verdictTitle(state.report)}.`;
    case "failed":
      return "The run ended with an error. All devices are stopped.";
  }
}

/** Names the devices that the run waits for. */
function lateText(shown: ShownRun | undefined): string {
  const late = (shown?.progress ?? []).filter((device) => device?.state === "late");
  if (late.length === 0) return "";
  const ranks = late.map((device) => device?.rank).join(", ");
  const who = late.length === 1 ? `Device ${ranks} has` : `Devices ${ranks} have`;
  return ` ${who} not started yet: the browser is busy, or its worker is lost.`;
}

/** The sentence, and a bar without an end while it is not known how long something takes. */
export function statusView(
  state: State,
  shown: ShownRun | undefined,
  isPossible: boolean,
): TemplateResult {
  const words = statusText(state, shown, isPossible);
  const isWaiting = state.type === "running" && shown?.devices !== undefined;
  return html`
    <p class="status" role="status">${words}</p>
    ${isWaiting ? html`<progress class="waiting" aria-label=${words}></progress>` : nothing}
  `;
}

/** What happened and where; what to do stands in the message. */
export function errorNotice({ message, where, code }: EngineError): TemplateResult {
  return html`
    <div class="notice">
      <p>${sentence(message)}</p>
      <p>Place: ${where}. Code: <code>${code}</code></p>
    </div>
  `;
}

/** One row a device: how far it is, what it sent, how long it took. */
export function deviceTable(shown: ShownRun): TemplateResult {
  const { devices, config } = shown.description;
  const done = shown.devices ?? [];
  const time = shown.devices ? formatMilliseconds(duration_ms(shown.devices)) : undefined;
  const isPipeline = config.strategy !== "data_parallel";
  return html`
    <h4>What each device does</h4>
    <div class="frame">
    <table>
      <caption>
        ${shown.description.parameters} parameters,
        ${layoutText(shown.description)};
        ${config.rows} rows${isPipeline ? ` in ${config.microbatches} microbatches` : ", shared"}.
        ${time ? `Measured from the first instruction to the last: ${time}.` : nothing}
      </caption>
      <thead>
        <tr>
          <th scope="col">Device</th>
          <th scope="col">${shareTitle(config)}</th>
          <th scope="col" class="work">Work</th>
          <th scope="col">Sent</th>
          <th scope="col">Measured</th>
        </tr>
      </thead>
      <tbody>
        ${devices.map(({ rows, stages, operations }, rank) =>
          deviceRow(
            {
              rank,
              share: isPipeline ? stages.join(", ") : `${rows}`,
              operations: operations.length,
            },
            shown.progress[rank],
            done[rank],
          ),
        )}
      </tbody>
    </table>
    </div>
  `;
}

function shareTitle({ strategy }: RunConfig): string {
  if (strategy === "data_parallel") return "Rows";
  return strategy === "pipeline_parallel" ? "Stage" : "Blocks";
}

/** What became of the model. */
function layoutText({ config, devices }: RunDescription): string {
  if (config.strategy === "data_parallel") return `copied to ${devicesText(devices.length)}`;
  const pipeline = `split into ${config.stages} stages`;
  if (config.strategy === "pipeline_parallel") return pipeline;
  const blocks = `each block cut over ${devicesText(config.tensor ?? 1)}`;
  return `${pipeline}, ${blocks}, and ${config.data} such copies`;
}

function deviceRow(
  device: { readonly rank: number; readonly share: string; readonly operations: number },
  progress: DeviceProgress | undefined,
  done: DeviceDone | undefined,
): TemplateResult {
  const ran = progress?.instructions ?? 0;
  const sent = progress?.counters ? formatBytes(progress.counters.bytes_sent) : "–";
  return html`
    <tr>
      <th scope="row">${device.rank}</th>
      <td>${device.share}</td>
      <td class="work">
        <progress max=${device.operations} .value=${ran}
          aria-label="Instructions of device ${device.rank}"></progress>
      </td>
      <td>${sent}</td>
      <td>${done ? formatMilliseconds(duration_ms([done])) : "–"}</td>
    </tr>
  `;
}

/** Whether the devices' gradient is the right one, by how much, and how to see it elsewhere. */
export function verdictView(report: GradientReport, { config }: RunDescription): TemplateResult {
  return html`
    <section class="verdict ${report.passed ? "" : "wrong"}">
      <h4><span aria-hidden="true">${report.passed ? "✓" : "✗"}</span>${verdictTitle(report)}</h4>
      <p>${verdictReason(report)}</p>
      <dl>
        <dt>Largest difference</dt>
        <dd>${difference(report.largest_difference)}</dd>
        <dt>Nearest to its bound</dt>
        <dd>
          ${report.worst.parameter}: differs by ${difference(report.worst.difference)}; rounding
          alone can bring ${difference(report.worst.bound)}
        </dd>
        <dt>Equal bit for bit</dt>
        <dd>${report.bit_equal ? "yes" : "no"}</dd>
        <dt>Loss of the batch</dt>
        <dd>
          ${formatDecimal(report.loss, 6)} on the devices,
          ${formatDecimal(report.single_device_loss, 6)} on a single device
        </dd>
        ${report.parameters ? trainingRows(report, report.parameters) : nothing}
        ${
          report.parameters
            ? nothing
            : html`<dt>Finite differences</dt><dd>${finiteDifferences(report)}</dd>`
        }
        <dt>Gradient hash</dt>
        <dd class="hash">${report.hash}</dd>
      </dl>
      <p>The command on your own machine ends with the same hash:</p>
      <code class="command" tabindex="0">${commandOf(config)}</code>
    </section>
  `;
}

/** The loss of every step as numbers, the devices' and one device's; and where training ended. */
function trainingRows(
  report: GradientReport,
  parameters: NonNullable<GradientReport["parameters"]>,
): TemplateResult {
  return html`
    <dt>Parameters after ${report.losses.length} steps</dt>
    <dd>
      differ by at most ${difference(parameters.largest_difference)}; rounding can bring
      ${difference(parameters.bound)}
    </dd>
    <dt>Loss, step by step</dt>
    <dd>
      <div class="frame">
        <table class="losses">
          <thead>
            <tr><th scope="col">Step</th><th scope="col">Devices</th><th scope="col">One</th></tr>
          </thead>
          <tbody>
            ${report.losses.map(
              (loss, step) => html`
                <tr>
                  <th scope="row">${step + 1}</th>
                  <td>${formatDecimal(loss, 6)}</td>
                  <td>${formatDecimal(report.single_device_losses[step] ?? Number.NaN, 6)}</td>
                </tr>
              `,
            )}
          </tbody>
        </table>
      </div>
    </dd>
  `;
}

function verdictTitle(report: GradientReport): string {
  return report.passed
    ? "The gradient is that of a single device"
    : "The gradient is not that of a single device";
}

function verdictReason(report: GradientReport): string {
  if (!report.passed) {
    return "The difference is larger than rounding explains: the devices computed something else.";
  }
  if (report.bit_equal) return "Every number has the same bits.";
  return (
    "The devices add their parts in another order than one device does. Each sum is rounded, so " +
    "the last digits differ, by no more than rounding explains."
  );
}

function finiteDifferences({ finite_differences: found }: GradientReport): string {
  if (found.compared === 0) return "none could be taken: all are at a corner of a relu";
  const parameters = found.compared === 1 ? "one parameter" : `${found.compared} parameters`;
  return `taken of ${parameters}, differ by at most ${difference(found.largest_difference)}`;
}

function difference(value: number | null): string {
  return value === null ? "not a finite number" : formatScientific(value);
}

function devicesText(count: number): string {
  return count === 1 ? "one device" : `${count} devices`;
}

/** From the first instruction's start to the last one's end. */
function duration_ms(devices: readonly DeviceDone[]): number {
  const times = devices.flatMap(({ spans }) => [spans[1] ?? 0, spans[spans.length - 1] ?? 0]);
  return Math.max(...times) - Math.min(...times);
}

/** A message of the engine as a sentence. */
function sentence(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1).replace(/\.$/, "")}.`;
}
