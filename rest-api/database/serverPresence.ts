import { notInTime, withinTime } from '../../server/database/unavailable.ts';

const askedAfterMs = 3_000;
const answeredWithinMs = 1_000;

/**
 * Waits for what the database does, for as long as its server is there. Rejects with `temporarily_unavailable`, after calling `leave`, as soon as
 * the server has become silent.
 */
export type WhileThere = <Result>(work: PromiseLike<Result>, leave?: () => void) => Promise<Result>;

/**
 * A statement may take longer than a caller of a server that has gone should wait, and until then they look the same. So whatever is not done
 * after three seconds has the server asked something else, with `ask`, one question for all that wait, and again every three seconds.
 */
export function serverPresence(ask: () => Promise<unknown>): WhileThere {
  let asking: Promise<boolean> | undefined;
  const there = () =>
    (asking ??= withinTime(ask(), answeredWithinMs)
      .then(
        () => true,
        () => false,
      )
      .finally(() => (asking = undefined)));
  return (work, leave) =>
    new Promise((resolve, reject) => {
      let over = false;
      let timer = setTimeout(look, askedAfterMs);
      function look(): void {
        void there().then((answers) => {
          if (over) return;
          if (answers) return void (timer = setTimeout(look, askedAfterMs));
          leave?.();
          reject(notInTime());
        });
      }
      const end = () => {
        over = true;
        clearTimeout(timer);
      };
      work.then(
        (result) => {
          end();
          resolve(result);
        },
        (error: unknown) => {
          end();
          reject(error);
        },
      );
    });
}
