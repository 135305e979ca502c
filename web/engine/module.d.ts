// The Emscripten module, as the build puts it beside the WebAssembly file. Its functions are the
// table in engine/bindings/bindings.cpp; tests/web/module.test.ts compares the two.

declare module "lockstep-module" {
  /** Functions of the instance. JSON texts hold either the value or `{"error": …}`. */
  export interface LockstepModule {
    version(): string;
    describe_run(config: string): string;
    check_gradient(
      config: string,
      gradients: readonly Uint8Array[],
      loss_sums: readonly Float64Array[],
      parameters: readonly Uint8Array[],
    ): string;
    draw_run(config: string): string;
    draw_measured(config: string, spans: readonly Float64Array[]): string;
    /** A device, or the text of an error. */
    make_device(config: string, rank: number): LockstepDevice | string;
    live_devices(): number;
    /** A lesson, or the text of an error or of `{"faults": […]}`. */
    load_lesson(path: string, bytes: Uint8Array): LockstepLesson | string;
    read_chapter(path: string, bytes: Uint8Array, locale: string): string;
    live_lessons(): number;
    /** Style sheets, not JSON. */
    worksheet_stylesheet(): string;
    picture_stylesheet(): string;
    time_schedule(request: string): string;
    draw_schedule(request: string): string;
    compute(request: string): string;
    learning_day(moment: string): string;
    rate_answer(attempt: string): string;
    replay_answers(request: string): string;
  }

  /** A device in the instance's memory; `delete` frees it. */
  export interface LockstepDevice {
    /** The text of the error, empty when the message was taken in. */
    deliver(message: Uint8Array): string;
    /** 0 ran · 1 blocked · 2 done · 3 failed. */
    step(): number;
    /** How many instructions it has run. */
    position(): number;
    take_outbox(): { to: number; bytes: Uint8Array }[];
    /** Of a device that is done, a copy. */
    gradient(): Uint8Array;
    /** By step, Σ of the losses over its rows, of a device that is done; a copy. */
    loss_sums(): Float64Array;
    /** After the last update; empty where the program has none. */
    parameters(): Uint8Array;
    counters(): string;
    /** The text of the error that it failed with. */
    failure(): string;
    delete(): void;
  }

  /** A lesson in the instance's memory; `delete` frees it. An empty locale is none. */
  export interface LockstepLesson {
    page(locale: string): string;
    view(question: string, seed: number, locale: string): string;
    grade(question: string, seed: number, locale: string, answer: string): string;
    hints(question: string, seed: number, locale: string): string;
    reveal(question: string, seed: number, locale: string): string;
    worksheet(seed: number, locale: string, paper: string): string;
    delete(): void;
  }

  export interface ModuleOptions {
    instantiateWasm(
      imports: WebAssembly.Imports,
      done: (instance: WebAssembly.Instance, module: WebAssembly.Module) => void,
    ): object;
    print?(line: string): void;
    printErr?(line: string): void;
  }

  const createLockstep: (options: ModuleOptions) => Promise<LockstepModule>;
  // biome-ignore lint/style/noDefaultExport: Emscripten's modules export their factory so.
  export default createLockstep;
}

declare module "lockstep-module.wasm?url" {
  const address: string;
  // biome-ignore lint/style/noDefaultExport: Vite exports an address so.
  export default address;
}

declare module "*?raw" {
  const text: string;
  // biome-ignore lint/style/noDefaultExport: Vite exports a text so.
  export default text;
}

declare module "*?worker&url" {
  const address: string;
  // biome-ignore lint/style/noDefaultExport: Vite exports an address so.
  export default address;
}
