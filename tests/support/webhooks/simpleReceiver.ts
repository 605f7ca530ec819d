import { createHash, createPublicKey, timingSafeEqual, verify } from 'node:crypto';
import type { ReceivedRequest } from '../clients/webhookReceiver.ts';

/** What a broken receiver leaves out, or does wrong. */
export type Fault =
  | 'refuses everything'
  | 'refuses what it knows'
  | 'verifies no signature'
  | 'computes no digest'
  | 'verifies whatever is covered'
  | 'lets unknown keys pass'
  | 'takes any label'
  | 'compares no event ID'
  | 'compares no environment'
  | 'compares no time'
  | 'takes production, too'
  | 'compares no source'
  | 'expects one signature alone'
  | 'knows events by their signatures'
  | 'has no limit'
  | 'asks for repetitions';

/** A key of the JWKS. */
type PublicKey = { readonly kid: string; readonly kty?: string; readonly crv?: string; readonly x?: string };
type Expected = { readonly url: string; readonly source: string; readonly keys: readonly PublicKey[]; readonly fault?: Fault | undefined };

const components = '"@method" "@target-uri" "content-digest" "x-svc-event-id" "x-svc-event-timestamp"';

/**
 * A receiver written from the specification's order of rules, without any code of the service. `answer` gives the status of one request. A
 * fault breaks exactly one rule.
 */
export function simpleReceiver({ url, source, keys, fault }: Expected): (request: ReceivedRequest) => number {
  const committed = new Map<string, string>();
  const refused = fault === 'asks for repetitions' ? 503 : 400;
  return ({ method, headers, body }) => {
    if (fault === 'refuses everything') return refused;
    if (body.length > 64 * 1024 && fault !== 'has no limit') return refused;
    const header = (name: string): string => String(headers[name] ?? '');
    const [begin, end] = fault === 'expects one signature alone' ? ['^', '$'] : ['(?:^|, )', '(?:, |$)'];
    const label = fault === 'takes any label' ? '[a-z]+' : 'svc';
    const [, parameters = '', covered = '', keyid = ''] =
      new RegExp(String.raw`${begin}${label}=(\(([^)]*)\);created=\d+;keyid="([^"]+)";alg="ed25519")${end}`).exec(
        header('signature-input'),
      ) ?? [];
    const [, signature = ''] = new RegExp(`${begin}${label}=:([A-Za-z0-9+/=]+):${end}`).exec(header('signature')) ?? [];
    if (parameters === '' || signature === '') return refused;
    if (covered !== components && fault !== 'verifies whatever is covered') return refused;
    const key = keys.find(({ kid }) => kid === keyid);
    if (!key && fault !== 'lets unknown keys pass') return refused;
    const digest = Buffer.from(`sha-256=:${createHash('sha256').update(body).digest('base64')}:`);
    const given = Buffer.from(header('content-digest'));
    if (fault !== 'computes no digest' && (given.length !== digest.length || !timingSafeEqual(given, digest))) return refused;
    const lineOf = (name: string) => `"${name}": ${name === '@method' ? method : name === '@target-uri' ? url : header(name)}`;
    const names = [...covered.matchAll(/"([^"]+)"/g)].map(([, name = '']) => name);
    const base = [...names.map(lineOf), `"@signature-params": ${parameters}`].join('\n');
    if (key && fault !== 'verifies no signature') {
      const publicKey = createPublicKey({ key, format: 'jwk' });
      if (!verify(null, Buffer.from(base), publicKey, Buffer.from(signature, 'base64'))) return refused;
    }
    const envelope = JSON.parse(body.toString()) as Record<'id' | 'time' | 'source' | 'environment', string>;
    if (fault !== 'compares no event ID' && envelope.id !== header('x-svc-event-id')) return refused;
    if (fault !== 'compares no time' && envelope.time !== header('x-svc-event-timestamp')) return refused;
    if (fault !== 'compares no source' && envelope.source !== source) return refused;
    const environments = fault === 'takes production, too' ? ['sandbox', 'production'] : ['sandbox'];
    if (fault !== 'compares no environment' && !environments.includes(envelope.environment)) return refused;
    const known = committed.get(envelope.id);
    if (fault === 'knows events by their signatures' && known !== undefined && known !== signature) return refused;
    if (known !== undefined) return fault === 'refuses what it knows' ? refused : 200;
    committed.set(envelope.id, signature);
    return 204;
  };
}
