/** The fields that determine when a certificate stops working. */
type Life = { status: string; usableUntil: string | null; notAfter: string | null };

/** The first email about the end of a certificate is sent this long before it. */
const warnedBefore = 30 * 24 * 60 * 60 * 1000;

/** How a certificate is shown that stops working soon. */
export const expiring = { tone: 'waiting', word: 'Expiring' } as const;

/** Whether a working certificate stops working soon. */
export function isEnding({ status, usableUntil, notAfter }: Life, now: Date): boolean {
  return status === 'issued' && endsWithin({ status, usableUntil, notAfter }, warnedBefore, now);
}

/** What its owner should do: switch to the newer certificate, or request one. */
export function renewalWords({ usableUntil, notAfter }: Omit<Life, 'status'>): string {
  if (usableUntil !== null && notAfter !== null && usableUntil < notAfter)
    return 'A newer certificate replaces this one. Switch your back end over, then revoke this one. It stops working by itself when the overlap ends.';
  return 'Get the next certificate under “New certificate”, with a new key. Both work side by side for up to 14 days, so you can switch without downtime.';
}

/** When a certificate began and ends, and when it last made a call. */
type Used = Life & { readonly issuedAt: string | null; readonly lastUsedAt: string | null };

/** The longest overlap of two certificates, and the last chance to notice that a back end has not been switched over. */
const switchedBefore = 14 * 24 * 60 * 60 * 1000;

/** Whether the newest of the certificates in use has never made a call although an older one ends soon. */
export function isUnswitched(inUse: readonly Used[], now: Date): boolean {
  const issued = inUse.filter(({ status }) => status === 'issued').toSorted((a, b) => (a.issuedAt ?? '').localeCompare(b.issuedAt ?? ''));
  const newest = issued.at(-1);
  return newest?.lastUsedAt === null && issued.slice(0, -1).some((older) => endsWithin(older, switchedBefore, now));
}

function endsWithin({ usableUntil, notAfter }: Life, time: number, now: Date): boolean {
  const end = usableUntil ?? notAfter;
  return end !== null && Date.parse(end) - now.getTime() <= time;
}
