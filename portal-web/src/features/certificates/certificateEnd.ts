/** The fields that determine when a certificate stops working. */
type Life = { status: string; usableUntil: string | null; notAfter: string | null };

/** The first email about the end of a certificate is sent this long before it. */
const warnedBefore = 30 * 24 * 60 * 60 * 1000;

/** How a certificate is shown that stops working soon. */
export const expiring = { tone: 'waiting', word: 'Expiring' } as const;

/** Whether a working certificate stops working soon. */
export function isEnding({ status, usableUntil, notAfter }: Life, now: Date): boolean {
  const end = usableUntil ?? notAfter;
  return status === 'issued' && end !== null && new Date(end).getTime() - now.getTime() <= warnedBefore;
}

/** What its owner should do: switch to the newer certificate, or request one. */
export function renewalWords({ usableUntil, notAfter }: Omit<Life, 'status'>): string {
  if (usableUntil !== null && notAfter !== null && usableUntil < notAfter)
    return 'A newer certificate replaces this one. Switch your back end over, then revoke this one. It stops working by itself when the overlap ends.';
  return 'Get the next certificate under “New certificate”, with a new key. Both work side by side for up to 14 days, so you can switch without downtime.';
}
