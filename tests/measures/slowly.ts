import type { Page } from 'playwright-core';

type Slowness = {
  /** How many times slower than this machine. */
  readonly cpu: number;
  readonly megabits: number;
  /** Milliseconds of a round trip. */
  readonly delay: number;
};

/** Slows a page's browser down, as a telephone of some years ago on a train would. */
export async function slowly(page: Page, { cpu, megabits, delay }: Slowness): Promise<void> {
  const session = await page.context().newCDPSession(page);
  await session.send('Emulation.setCPUThrottlingRate', { rate: cpu });
  await session.send('Network.enable');
  const throughput = (megabits * 1_000_000) / 8;
  await session.send('Network.emulateNetworkConditions', {
    offline: false,
    latency: delay,
    downloadThroughput: throughput,
    uploadThroughput: throughput,
  });
}
