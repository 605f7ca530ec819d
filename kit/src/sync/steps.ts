export type Awaitable<T> = T | PromiseLike<T>;

/** Work that is written once for databases that answer at once and for those that have to be awaited: `yield* step(…)` stands where `await` would. */
export type Steps<T> = Generator<Awaitable<unknown>, T, unknown>;

export function* step<T>(value: Awaitable<T>): Steps<T> {
  return (yield value) as T;
}

const isPromise = (value: unknown): value is PromiseLike<unknown> =>
  typeof (value as PromiseLike<unknown> | null | undefined)?.then === 'function';

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
    next = await Promise.resolve(next.value).then(
      (value) => steps.next(value),
      (error: unknown) => steps.throw(error),
    );
  }
  return next.value;
}
