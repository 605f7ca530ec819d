import { createPublicKey, type KeyObject } from 'node:crypto';
import { answerTo } from '../client/answers.ts';

/** Finds the key that signed. */
export type Keys = (keyid: string) => Promise<KeyVerdict>;
/** `unknown`: the key set has just been read, and has no such key. `unavailable`: that could not be found out. */
export type KeyVerdict = KeyObject | 'unknown' | 'unavailable';

export type KeyOptions = {
  /** The authority of the portal’s certificate, PEM. */
  readonly ca?: string;
  /** How often an unknown key may have the key set read again. */
  readonly refreshSeconds?: number;
  /** For how long a key set counts that cannot be read again. */
  readonly trustedSeconds?: number;
  /** In milliseconds, of a clock that only rises. */
  readonly now?: () => number;
};

/** As the key set’s Cache-Control says. */
const keptMs = 60 * 60 * 1000;
const longestReadMs = 5_000;
const largestKeySet = 64 * 1024;

/** The public keys at this address, read when they are needed, kept for an hour, and never read more often than the limits allow. */
export function remoteKeys(url: string, options: KeyOptions = {}): Keys {
  const { ca, refreshSeconds = 30, trustedSeconds = 24 * 60 * 60, now = () => performance.now() } = options;
  let keys = new Map<string, KeyObject>();
  let readAt = -Infinity;
  // An old key set and an unknown key each have a limit of their own.
  const triedAt = { old: -Infinity, unknown: -Infinity };
  let reading: Promise<boolean> | undefined;

  const read = (): Promise<boolean> =>
    download(url, ca)
      .then((text) => {
        keys = keySet(text);
        readAt = now();
        return true;
      })
      .catch(() => false)
      .finally(() => (reading = undefined));

  return async (keyid) => {
    const reason = now() - readAt >= Math.min(keptMs, trustedSeconds * 1000) ? 'old' : keys.has(keyid) ? null : 'unknown';
    let fresh = false;
    if (reason && (reading || now() - triedAt[reason] >= refreshSeconds * 1000)) {
      if (!reading) triedAt[reason] = now();
      reading ??= read();
      fresh = await reading;
    }
    // A key may have been revoked since, and an attacker who keeps the key set from us must gain nothing by it.
    if (!fresh && now() - readAt >= trustedSeconds * 1000) return 'unavailable';
    return keys.get(keyid) ?? (fresh ? 'unknown' : 'unavailable');
  };
}

function keySet(text: string): Map<string, KeyObject> {
  const { keys } = JSON.parse(text) as { keys: { kty: string; crv: string; kid: string; x: string }[] };
  const usable = keys.filter(({ kty, crv }) => kty === 'OKP' && crv === 'Ed25519');
  return new Map(usable.map(({ kid, x }) => [kid, createPublicKey({ format: 'jwk', key: { kty: 'OKP', crv: 'Ed25519', x } })]));
}

async function download(url: string, ca: string | undefined): Promise<string> {
  // An import of `node:http` loads WebSocket and more with it, which most commands have no use for.
  const { get } = await (url.startsWith('https:') ? import('node:https') : import('node:http'));
  const outgoing = get(url, { agent: false, ...(ca !== undefined && { ca }), signal: AbortSignal.timeout(longestReadMs) });
  const { status, body } = await answerTo(outgoing, largestKeySet);
  // Redirects are not followed.
  if (status !== 200) throw new Error(`The answer was ${status}.`);
  return body.toString();
}
