import { setImmediate } from 'node:timers/promises';

/** The results of a step for each of many things. Before every `atOnce` of them, others get the event loop for a turn. */
export async function inTurns<Item, Outcome>(
  items: readonly Item[],
  atOnce: number,
  step: (item: Item, index: number) => Outcome,
): Promise<Outcome[]> {
  const outcomes: Outcome[] = [];
  for (const [index, item] of items.entries()) {
    if (index % atOnce === 0) await setImmediate();
    outcomes.push(step(item, index));
  }
  return outcomes;
}

/** The things in their order, so many at a time. */
export function slicesOf<Item>(items: readonly Item[], size: number): Item[][] {
  return Array.from({ length: Math.ceil(items.length / size) }, (_, slice) => items.slice(slice * size, (slice + 1) * size));
}
