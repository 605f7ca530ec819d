import { createHash, generateKeyPairSync, hash, sign } from 'node:crypto';
import { newId } from '../../shared/ids.ts';
import type { Environment } from '../../shared/environment.ts';
import { deliveryEnvelope, eventTimestamp } from '../envelope.ts';
import { signDelivery, type DeliveryKey } from '../signing/signDelivery.ts';
import type { ProbeKind } from './probes.ts';

/** What all probes of one check have in common. */
type ProbeBasis = {
  readonly url: string;
  /** The origin of the machine API. */
  readonly source: string;
  readonly key: DeliveryKey;
  /** The event of the first three probes. Every other probe has an event of its own, so that no receiver recognises it. */
  readonly event: { readonly id: string; readonly connectionId: string };
  /** When the events occurred. */
  readonly occurredAt: Date;
  /** When the check began. */
  readonly beganAt: Date;
  readonly now: Date;
};

/** A request as it is posted. */
type ProbeRequest = { readonly headers: Readonly<Record<string, string>>; readonly body: Buffer };

const day = 24 * 60 * 60;

/** What the probe of a wrong environment says. No receiver expects it, so this one can be sent to every URL. */
const noEnvironment = 'none';

/** One byte more than the guide’s receivers take. */
const largeBody = 64 * 1024 + 1;

/** Somebody else’s members of Signature-Input and Signature, with all kinds of values and parameters (RFC 9651). Its own text names ours. */
const foreignInput =
  'proxy=("@method" "@authority" "content-digest";key="sha-256");created=1;keyid="proxy";tag="a, svc=();created=1";tls;via=h2/edge;load=0.25;old=?0';
const foreignSignature = 'proxy=:AAAA:;by="edge, svc=:AAAA:";hop=1';

/**
 * One request of a receiver check. Its event is `connection.created` with a connection that does not exist, so a receiver that wrongly
 * accepts it finds nothing when it pulls. All but `unknown_key` and `body_altered` have a signature by the service's own key, because a
 * receiver has to find what is wrong besides.
 */
export function makeProbe(kind: ProbeKind, { url, source, key, event: first, occurredAt, beganAt, now }: ProbeBasis): ProbeRequest {
  const { id, connectionId } = kind === 'good' || kind === 'repeated' || kind === 'resigned_replay' ? first : newProbeEvent();
  const bodyOf = (of: { id?: string; connectionId?: string; source?: string; environment?: Environment } = {}) => {
    const event = { id: of.id ?? id, connectionId: of.connectionId ?? connectionId, type: 'connection.created', occurredAt } as const;
    return Buffer.from(deliveryEnvelope({ event, source: of.source ?? source, environment: of.environment ?? 'sandbox' }));
  };
  const created = Math.floor(now.getTime() / 1000);
  const signed = (body: Buffer, more: { key?: DeliveryKey; created?: number; eventTimestamp?: string } = {}): Record<string, string> => ({
    ...signDelivery({ url, body, eventId: id, eventTimestamp: eventTimestamp({ occurredAt }), created, key, ...more }),
  });
  const body = bodyOf();
  switch (kind) {
    case 'good':
    case 'repeated':
      // The same bytes twice, signed a second before the check, so that the signature of the third is always a newer one.
      return { headers: signed(body, { created: Math.floor(beganAt.getTime() / 1000) - 1 }), body };
    case 'resigned_replay':
      return { headers: signed(body), body };
    case 'second_signature': {
      const headers = signed(body);
      return {
        headers: {
          ...headers,
          'Signature-Input': `${foreignInput}, ${headers['Signature-Input']}`,
          Signature: `${headers['Signature']}, ${foreignSignature}`,
        },
        body,
      };
    }
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
    case 'other_time':
      return { headers: signed(body, { eventTimestamp: eventTimestamp({ occurredAt: new Date(occurredAt.getTime() - 1) }) }), body };
    case 'wrong_environment': {
      const other = withMember(body, 'environment', noEnvironment);
      return { headers: signed(other), body: other };
    }
    case 'production': {
      const other = bodyOf({ environment: 'production' });
      return { headers: signed(other), body: other };
    }
    case 'wrong_source': {
      const other = bodyOf({ source: 'https://another-service.example' });
      return { headers: signed(other), body: other };
    }
    case 'large_body': {
      const missing = largeBody - withMember(body, 'padding', '').length;
      const other = withMember(body, 'padding', 'x'.repeat(missing));
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

function withMember(body: Buffer, name: string, value: string): Buffer {
  return Buffer.from(JSON.stringify({ ...(JSON.parse(body.toString()) as object), [name]: value }));
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
