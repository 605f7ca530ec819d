import type { Production } from './productionQuery.ts';

/** A place in the queue in words: “2 before you; half of reviews take 1 day or less.” Empty if there is nothing to say. */
export function queueWords(queue: Production['integration']['reviewQueue']): string {
  if (!queue || queue.before === null) return '';
  const place = queue.before === 0 ? 'You are next' : `${queue.before.toLocaleString('en')} before you`;
  if (queue.medianDays === null) return `${place}.`;
  return `${place}; half of reviews take ${queue.medianDays === 1 ? '1 day' : `${queue.medianDays} days`} or less.`;
}
