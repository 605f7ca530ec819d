import { MiB, second } from '../../shared/limits.ts';

/** Limits of logos (docs/specification.md, “Logo”); durations in milliseconds, sizes in bytes. */
export const logoLimits = {
  logoBytes: 2 * MiB,
  logoSideMin: 256,
  logoSideMax: 2048,
  /** The size to which a colour profile may be unpacked, and how often a progressive image may be refined. */
  logoColourProfileBytes: MiB,
  logoScans: 64,
  /** Chunks or segments of a file. An ordinary file has some hundred. */
  logoParts: 4_096,
  /** Inspecting and decoding together. */
  logoWorkingTime: 10 * second,
  /** Decoding takes one processor and some 50 MiB, so uploads are decoded one at a time and only a few may wait, each of another operator. */
  logosWaiting: 8,
  logosPerHour: 20,
} as const;
