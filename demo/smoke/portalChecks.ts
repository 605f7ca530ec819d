import { z } from 'zod';
import { expectThat, Surprise } from '../Surprise.ts';

const keySet = z.object({ keys: z.array(z.looseObject({ kid: z.string(), kty: z.literal('OKP'), crv: z.literal('Ed25519') })).min(1) });

/** The portal can work: it reaches a database that can be written. */
export async function checkReady(portal: string): Promise<string> {
  const response = await fetchFrom(`${portal}/readyz`);
  expectThat(response.status === 200, 'The portal says that it is not ready.', { status: response.status });
  return '200';
}

/** Receivers of webhooks find at least one key. */
export async function checkKeySet(portal: string): Promise<string> {
  const response = await fetchFrom(`${portal}/.well-known/svc-integration-webhook-jwks.json`);
  const parsed = keySet.safeParse(await response.json().catch(() => null));
  expectThat(response.status === 200 && parsed.success, 'The key set has no key. Have workers ever run?', { status: response.status });
  return `${parsed.data.keys.length} published`;
}

/** GET without following redirects. Throws a Surprise if nothing answers. */
export async function fetchFrom(url: string): Promise<Response> {
  try {
    return await fetch(url, { redirect: 'error', signal: AbortSignal.timeout(30_000) });
  } catch (error) {
    const code = error instanceof Error && error.cause instanceof Error && 'code' in error.cause ? String(error.cause.code) : '';
    if (/CERT|VERIFY|ISSUER/.test(code))
      throw new Surprise(`The certificate of ${new URL(url).host} is not trusted (${code}). Name its authority with --ca.`);
    throw new Surprise(`Nothing responds at ${url}${code === '' ? '' : ` (${code})`}.`);
  }
}
