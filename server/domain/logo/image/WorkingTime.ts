import { DomainError } from '../../shared/DomainError.ts';
import { logoLimits } from './logoLimits.ts';
import { LogoRefused } from './logoRefusals.ts';

/** How long one upload may still be worked on. It begins when it is made, and ends early when the connection has ended. */
export class WorkingTime {
  readonly #hungUp: AbortSignal;
  readonly #elapsed: () => number;
  readonly #end: number;

  /** `elapsed` is a clock in milliseconds that is never set back. */
  constructor(hungUp: AbortSignal, elapsed: () => number = () => performance.now()) {
    this.#hungUp = hungUp;
    this.#elapsed = elapsed;
    this.#end = elapsed() + logoLimits.logoWorkingTime;
  }

  /** Called between two steps of the work. Throws `LogoRefused` once the time is over; errors: invalid_request once the connection has ended. */
  check(): void {
    // The answer reaches no reader.
    if (this.#hungUp.aborted) throw new DomainError('invalid_request', { detail: 'The connection ended before the logo was decoded.' });
    if (this.#elapsed() >= this.#end) throw new LogoRefused('tooSlow');
  }

  /** What is left, in whole seconds, at least one: the unit of the decoder. */
  get secondsLeft(): number {
    return Math.max(1, Math.ceil((this.#end - this.#elapsed()) / 1000));
  }
}
