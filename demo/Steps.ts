import { setTimeout as wait } from 'node:timers/promises';
import { Surprise } from './Surprise.ts';

const labelWidth = 34;

/** Runs the demo's steps one after another and prints a line for each: number, what was done, what came of it, how long it took. */
export class Steps {
  readonly #print: (line: string) => void;
  #number = 0;
  #running = 'Start';

  constructor(print: (line: string) => void) {
    this.#print = print;
  }

  /** The step that is running or ran last, for the message when something goes wrong. */
  get running(): string {
    return this.#running;
  }

  /** Runs one step. `describe` puts its result into words that contain no secret. */
  async run<T>(label: string, action: () => Promise<T>, describe: (result: T) => string): Promise<T> {
    this.#number += 1;
    this.#running = label;
    const started = performance.now();
    const result = await action();
    const time = `${((performance.now() - started) / 1000).toFixed(2)} s`.padStart(8);
    this.#print(`${String(this.#number).padStart(3)}  ${label.padEnd(labelWidth)}${time}   ${describe(result)}`);
    return result;
  }

  /** A remark below the steps, such as a wait that the service has asked for. */
  note(text: string): void {
    this.#print(`     (${text})`);
  }
}

/** Asks repeatedly until there is an answer. Throws a Surprise that names `what` if there is none within `seconds`. */
export async function waitFor<T>(what: string, seconds: number, ask: () => Promise<T | null>): Promise<T> {
  const end = performance.now() + seconds * 1000;
  for (;;) {
    const answer = await ask();
    if (answer !== null) return answer;
    if (performance.now() > end) throw new Surprise(`${what} did not arrive within ${seconds} s.`);
    await wait(300);
  }
}
