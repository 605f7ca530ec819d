import { setTimeout as delay } from 'node:timers/promises';

/** Waits for what another process does by itself. */
export async function until<Found>(what: string, look: () => Promise<Found | undefined>): Promise<Found> {
  for (let tries = 0; tries < 600; tries += 1) {
    const found = await look();
    if (found !== undefined) return found;
    await delay(100);
  }
  throw new Error(`${what} has not come.`);
}
