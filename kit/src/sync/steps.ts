export type Awaitable<T> = T | PromiseLike<T>;

/** Work that is written once for databases that answer at once and for those that have to be awaited: `yield* step(…)` stands where `await` would. */
export type Steps<T> = Generator<Awaitable<unknown>, T, unknown>;

/** @internal */
export function* step<T>(value: Awaitable<T>): Steps<T> {
  return (yield value) as T;
}

const isPromise = <T>(value: Awaitable<T>): value is PromiseLike<T> =>
  typeof (value as PromiseLike<T> | null | undefined)?.then === 'function';

/** What becomes of a value that may have to be awaited. @internal */
export function afterwards<T, Result>(value: Awaitable<T>, become: (value: T) => Result): Awaitable<Result> {
  return isPromise(value) ? value.then(become) : become(value);
}

/** Runs work that nothing has to be awaited for. */
export function runAtOnce<T>(steps: Steps<T>): T {
  let next = steps.next();
  while (!next.done) {
    const { value } = next;
    next = isPromise(value)
      ? steps.throw(new TypeError('This database works synchronously: what runs in its transaction must not return a promise.'))
      : steps.next(value);
  }
  return next.value;
}

/** Runs work and awaits each step. */
export async function runAwaiting<T>(steps: Steps<T>): Promise<T> {
  let next = steps.next();
  while (!next.done) {
    next = await Promise.resolve(next.value).then(steps.next.bind(steps), steps.throw.bind(steps));
  }
  return next.value;
}

/** Has work wait until what was handed in before has ended. @internal */
export function turns() {
  let last: Promise<unknown> = Promise.resolve();
  return <T>(work: () => Promise<T>): Promise<T> => {
    const turn = last.then(work);
    last = turn.catch(() => {});
    return turn;
  };
}
