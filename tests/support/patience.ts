import { availableParallelism, loadavg } from 'node:os';

/**
 * How long tests wait at most for what takes `ms` on a machine that has a processor for each task. All limits that are there for what hangs,
 * rather than to be measured, are made with it, so that a busy machine fails no test.
 */
export function patient(ms: number): number {
  const [tasks = 0] = loadavg();
  return Math.ceil(ms * Math.max(1, tasks / availableParallelism()));
}
