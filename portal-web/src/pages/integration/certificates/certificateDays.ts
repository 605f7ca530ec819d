import { roughSpanWords } from '../../../../../server/domain/shared/text/spanWords.ts';
import type { CertificatePermission } from '../../../../../server/domain/integration/integrationFacts.ts';
import { pressingWithin } from '../../../../../server/domain/notification/words/attentionKinds.ts';
import { certificateFacts, overlapDays, timeToInstall } from '../../../../../server/domain/certificate/certificateFacts.ts';

/** The fields that determine when a certificate stops working. */
type Life = { readonly status: keyof typeof certificateFacts; readonly usableUntil: string | null; readonly notAfter: string | null };

/** When a certificate began and ends, and when it last made a call. */
type Used = Life & { readonly keyName: string; readonly issuedAt: string | null; readonly lastUsedAt: string | null };

const day = 24 * 60 * 60 * 1000;

/** The longest overlap of two certificates, and the last chance to switch a back end over without downtime. */
const switchedBefore = overlapDays * day;

/** How a certificate is shown that stops working soon: in the colour in which the overview says so. */
export function expiringSoon(life: Life, now: Date) {
  if (!isEnding(life, now)) return null;
  const left = Date.parse(endOf(life) ?? '') - now.getTime();
  return { tone: left <= pressingWithin ? 'bad' : 'waiting', word: 'Expiring' } as const;
}

/** The moment at which a certificate stops working, if it ever worked. */
export function endOf({ usableUntil, notAfter }: Pick<Life, 'usableUntil' | 'notAfter'>): string | null {
  return usableUntil ?? notAfter;
}

/** Whether a working certificate stops working so soon that its owner should act. */
export function isEnding(life: Life, now: Date): boolean {
  const end = endOf(life);
  return certificateFacts[life.status].stage === 'working' && end !== null && Date.parse(end) - now.getTime() <= switchedBefore;
}

/** A warning about a client’s certificates, with how bad it is. */
type CertificateWarning = { readonly title: string; readonly words: string };

/**
 * What the owner has to do about the certificates in use, if anything: only where the last one has expired, where the successor has not
 * made a call within a day although the older one ends soon, or where the only one ends soon, as long as another can be
 * requested at all.
 */
export function certificateWarning(inUse: readonly Used[], now: Date, permission: CertificatePermission): CertificateWarning | null {
  const usable = usableOf(inUse);
  const [older, newer] = [usable[0], usable.at(-1)];
  const expired = inUse.find(({ status }) => status === 'expired');
  if (!older || !newer) {
    if (!expired || permission !== 'yes') return null;
    return {
      title: 'Get a new certificate, with a new key',
      words: 'Until then, every call is refused with 401 client_certificate_expired.',
    };
  }
  if (!isEnding(older, now)) return null;
  if (older === newer) {
    if (permission !== 'yes') return null;
    return {
      title: 'Before it ends: get a new certificate, with a new key',
      words: `Both work side by side for up to ${overlapDays} days, so you can switch without downtime.`,
    };
  }
  if (newer.lastUsedAt !== null || now.getTime() - Date.parse(newer.issuedAt ?? '') < timeToInstall) return null;
  return {
    title: `Install certificate ${newer.keyName} in your back end`,
    words: `It has never made a call, and ${older.keyName} stops working soon. Check that a call with it appears here.`,
  };
}

/** Which certificate is used, until when, and whether its successor is ready, in one line. `stopped`: every call is refused. */
export function certificateAnswer(inUse: readonly Used[], now: Date, stopped = false): string {
  const usable = usableOf(inUse);
  const pending = inUse.find(({ status }) => certificateFacts[status].stage === 'pending');
  const used = usable
    .filter(({ lastUsedAt }) => lastUsedAt)
    .toSorted((a, b) => (a.lastUsedAt ?? '').localeCompare(b.lastUsedAt ?? ''))
    .at(-1);
  const [shown] = used ? [used] : usable;
  if (!shown) {
    if (pending) return `Certificate ${pending.keyName} is being signed`;
    const expired = inUse.find(({ status }) => status === 'expired');
    return expired ? `Certificate ${expired.keyName} has expired` : 'No certificate yet';
  }
  const use = stopped ? 'valid' : used ? 'in use' : 'ready, not used yet';
  const refused = stopped ? ', but every call is refused' : '';
  const state = `Certificate ${shown.keyName} is ${use}${timeLeft(shown, now)}${refused}`;
  const successor = usable.at(-1);
  if (!successor || successor === shown) return pending ? `${state}; ${pending.keyName} is being signed` : state;
  return `${state}; its successor ${successor.keyName} ${successor.lastUsedAt ? 'is used too' : 'is ready'}`;
}

/** The certificates that work, the oldest first. */
function usableOf(inUse: readonly Used[]): readonly Used[] {
  return inUse
    .filter(({ status }) => certificateFacts[status].stage === 'working')
    .toSorted((a, b) => (a.issuedAt ?? '').localeCompare(b.issuedAt ?? ''));
}

/** As in “, 90 days left”; nothing for the moment in which it is known that it was issued, and not yet until when it works. */
function timeLeft(life: Life, now: Date): string {
  const end = endOf(life);
  return end === null ? '' : `, ${roughSpanWords(Date.parse(end) - now.getTime())} left`;
}

/** When a certificate works, as the service reports it. */
type DatedLife = {
  readonly id: string;
  readonly issuedAt: string | null;
  readonly notAfter: string | null;
  readonly usableUntil: string | null;
};

/** Where something lies on the common bar of days, in percent of its length. */
export type Stretch = { readonly from: number; readonly to: number };

/** The bar that the certificates in use share: when each works, when they work side by side, and the present day. */
type DaysInUse = {
  /** Where the bar begins and ends; null in the moment in which it is known that one was issued, and not yet until when it works. */
  readonly ends: { readonly first: Date; readonly last: Date } | null;
  readonly stretches: ReadonlyMap<string, Stretch>;
  readonly overlap: Stretch | null;
  readonly today: number;
};

/** Places certificates that have been issued on one bar, from the first moment of the older one to the last of the newer one. */
export function daysInUse(certificates: readonly DatedLife[], now: Date): DaysInUse {
  const lives = certificates.flatMap((each) => {
    const end = each.usableUntil ?? each.notAfter;
    return each.issuedAt && end ? [{ id: each.id, from: Date.parse(each.issuedAt), to: Date.parse(end) }] : [];
  });
  const first = Math.min(...lives.map(({ from }) => from));
  const last = Math.max(...lives.map(({ to }) => to));
  const at = (time: number) => Math.min(100, Math.max(0, (100 * (time - first)) / Math.max(1, last - first)));
  const stretch = ({ from, to }: { from: number; to: number }): Stretch => ({ from: at(from), to: at(to) });
  const shared = { from: Math.max(...lives.map(({ from }) => from)), to: Math.min(...lives.map(({ to }) => to)) };
  return {
    ends: lives.length > 0 ? { first: new Date(first), last: new Date(last) } : null,
    stretches: new Map(lives.map((life) => [life.id, stretch(life)])),
    overlap: lives.length > 1 && shared.from < shared.to ? stretch(shared) : null,
    today: at(now.getTime()),
  };
}
