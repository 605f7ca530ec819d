import { createHash, generateKeyPairSync, hash, sign } from 'node:crypto';
import { newId } from '../../shared/ids.ts';
import { deliveryEnvelope, eventTimestamp } from '../envelope.ts';
import { signDelivery, type DeliveryKey } from '../signing/signDelivery.ts';
import type { ProbeKind } from './probes.ts';

/** What all probes of one check have in common. */
export type ProbeBasis = {
  readonly url: string;
  /** The origin of the machine API. */
  readonly source: string;
  readonly key: DeliveryKey;
  /** The event of the first two probes. Every other probe has an event of its own, so that no receiver recognises it. */
  readonly event: { readonly id: string; readonly connectionId: string };
  /** When the events occurred. */
  readonly occurredAt: Date;
  readonly now: Date;
};

/** A request as it is posted. */
export type ProbeRequest = { readonly headers: Readonly<Record<string, string>>; readonly body: Buffer };

const day = 24 * 60 * 60;

/**
 * What the probe of a wrong environment says. It must never say `production`: the URL may be a receiver that somebody else uses for
 * production, and a signed event about nothing would be accepted there.
 */
const noEnvironment = 'none';

/**
 * One request of a receiver check. Its event is `connection.created` with a connection that does not exist, so a receiver that wrongly
 * accepts it finds nothing when it pulls. All but `unknown_key` and `body_altered` have a signature by the service's own key, because a
 * receiver has to find what is wrong besides.
 */
export function makeProbe(kind: ProbeKind, { url, source, key, event: first, occurredAt, now }: ProbeBasis): ProbeRequest {
  const { id, connectionId } = kind === 'good' || kind === 'repeated' ? first : newProbeEvent();
  const bodyOf = (of: { id?: string; connectionId?: string; source?: string } = {}) => {
    const event = { id: of.id ?? id, connectionId: of.connectionId ?? connectionId, type: 'connection.created', occurredAt } as const;
    return Buffer.from(deliveryEnvelope({ event, source: of.source ?? source, environment: 'sandbox' }));
  };
  const created = Math.floor(now.getTime() / 1000);
  const signed = (body: Buffer, more: { key?: DeliveryKey; created?: number } = {}): Record<string, string> => ({
    ...signDelivery({ url, body, eventId: id, eventTimestamp: eventTimestamp({ occurredAt }), created, key, ...more }),
  });
  const body = bodyOf();
  switch (kind) {
    case 'good':
    case 'repeated':
      return { headers: signed(body), body };
    case 'body_altered': {
      const altered = bodyOf({ connectionId: newId('con') });
      return { headers: { ...signed(body), 'Content-Digest': `sha-256=:${hash('sha256', altered, 'base64')}:` }, body: altered };
    }
    case 'digest_of_another_body':
      return { headers: signed(body), body: bodyOf({ connectionId: newId('con') }) };
    case 'component_missing':
      return { headers: { ...signed(body), ...withoutDigest({ url, id, occurredAt, created, key }) }, body };
    case 'unknown_key':
      return { headers: signed(body, { key: throwAwayKey() }), body };
    case 'other_label': {
      const headers = signed(body);
      const relabel = (value = '') => value.replace(/^svc=/, 'other=');
      return {
        headers: { ...headers, 'Signature-Input': relabel(headers['Signature-Input']), Signature: relabel(headers['Signature']) },
        body,
      };
    }
    case 'other_event_id': {
      const other = bodyOf({ id: newId('evt') });
      return { headers: signed(other), body: other };
    }
    case 'wrong_environment': {
      const other = Buffer.from(JSON.stringify({ ...(JSON.parse(body.toString()) as object), environment: noEnvironment }));
      return { headers: signed(other), body: other };
    }
    case 'wrong_source': {
      const other = bodyOf({ source: 'https://another-service.example' });
      return { headers: signed(other), body: other };
    }
    case 'day_old':
      return { headers: signed(body, { created: created - day }), body };
  }
}

/** The names of an event that is on record nowhere. */
export function newProbeEvent(): { readonly id: string; readonly connectionId: string } {
  return { id: newId('evt'), connectionId: newId('con') };
}

type Incomplete = {
  readonly url: string;
  readonly id: string;
  readonly occurredAt: Date;
  readonly created: number;
  readonly key: DeliveryKey;
};

/** A signature that is good for what it covers, which is everything but the digest (RFC 9421, section 2.5). */
function withoutDigest({ url, id, occurredAt, created, key }: Incomplete): Record<string, string> {
  const parameters = `("@method" "@target-uri" "x-svc-event-id" "x-svc-event-timestamp");created=${created};keyid="${key.kid}";alg="ed25519"`;
  const base = `"@method": POST
"@target-uri": ${url}
"x-svc-event-id": ${id}
"x-svc-event-timestamp": ${eventTimestamp({ occurredAt })}
"@signature-params": ${parameters}`;
  return {
    'Signature-Input': `svc=${parameters}`,
    Signature: `svc=:${sign(null, Buffer.from(base), key.privateKey).toString('base64')}:`,
  };
}

/** A key that nobody has published, with the name that it would have (RFC 7638). */
function throwAwayKey(): DeliveryKey {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519');
  const { crv, kty, x } = publicKey.export({ format: 'jwk' });
  return { kid: createHash('sha256').update(JSON.stringify({ crv, kty, x })).digest('base64url'), privateKey };
}
