import { generateKeyPairSync } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { Authorization, axios, Client } from 'acme-client';
import { request as ask } from 'undici';
import type { AcmePlan } from './AcmePlan.ts';
import { AcmeRefusal } from './AcmeRefusal.ts';

const requestTimeout = 30_000;
const asksEvery = 1_000;

type Obtaining = {
  readonly plan: Pick<AcmePlan, 'server' | 'email' | 'names'>;
  /** In PEM. A new key makes a new account. */
  readonly accountKey: string;
  /** What the authority is answered on port 80. */
  readonly answers: Map<string, string>;
  /** Ends all of it. */
  readonly signal: AbortSignal;
};

/**
 * Orders a certificate with a new key, proves that the names lead here, and returns the certificate with its chain and its key, in PEM. Throws
 * `AcmeRefusal` if the authority refuses, and otherwise what the network or the library throws.
 */
export async function obtainCertificate({ plan, accountKey, answers, signal }: Obtaining): Promise<string> {
  // Most processes never need it.
  const { axios: library, Client, crypto } = await import('acme-client');
  library.defaults.adapter = askingUntil(signal);
  try {
    const client = new Client({ directoryUrl: plan.server, accountKey });
    await client.createAccount({ termsOfServiceAgreed: true, ...(plan.email !== undefined && { contact: [`mailto:${plan.email}`] }) });
    const names = [...plan.names.keys()];
    const order = await client.createOrder({ identifiers: names.map((value) => ({ type: 'dns', value })) });
    for (const authorization of await client.getAuthorizations(order)) await prove(client, authorization, answers);
    const refused = (await settled(() => client.getAuthorizations(order), signal)).find(({ status }) => status !== 'valid');
    if (refused) throw AcmeRefusal.of(refused);
    const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    const keyPem = privateKey.export({ format: 'pem', type: 'pkcs8' }).toString();
    const [, request] = await crypto.createCsr({ altNames: names }, keyPem);
    await client.finalizeOrder(order, request);
    const [issued] = await settled(async () => [await client.getOrder(order)], signal);
    if (issued?.status !== 'valid') throw AcmeRefusal.of({ challenges: [{ error: issued?.error }] });
    return `${(await client.getCertificate(issued)).trim()}\n${keyPem}`;
  } finally {
    answers.clear();
  }
}

type Asking = Extract<NonNullable<typeof axios.defaults.adapter>, (request: never) => unknown>;

/**
 * How the library asks, in the place of its own way, which waits as long as an authority says, has no end, loses why a server is out of reach, and
 * keeps only the words of a refusal.
 */
function askingUntil(end: AbortSignal): Asking {
  return async (request) => {
    const { url = '', method = 'get', headers: sent, data: body } = request;
    const signal = AbortSignal.any([end, AbortSignal.timeout(requestTimeout)]);
    const answer = await ask(url, {
      method: method.toUpperCase() as 'GET',
      headers: sent.toJSON() as Record<string, string>,
      body: body as string,
      signal,
    });
    const { statusCode: status, headers } = answer;
    const data = await answer.body.text();
    // After an outdated nonce the library asks again itself.
    if (status >= 400 && !data.includes('urn:ietf:params:acme:error:badNonce')) throw AcmeRefusal.in({ status, data, headers });
    return { status, statusText: '', headers: headers as Record<string, string>, data, config: request };
  };
}

/** Has the authority look whether the name leads to us, unless it knows already. */
async function prove(client: Client, { status, identifier, challenges }: Authorization, answers: Map<string, string>): Promise<void> {
  if (status === 'valid') return;
  const challenge = challenges.find(({ type }) => type === 'http-01');
  if (!challenge) throw new AcmeRefusal({ type: 'noHttpChallenge', detail: 'it offers no http-01', name: identifier.value });
  answers.set(challenge.token, await client.getChallengeKeyAuthorization(challenge));
  await client.completeChallenge(challenge);
}

/** Asks until the authority has decided about all of them. */
async function settled<Item extends { readonly status: string }>(read: () => Promise<Item[]>, signal: AbortSignal): Promise<Item[]> {
  for (;;) {
    const items = await read();
    if (items.every(({ status }) => !['pending', 'ready', 'processing'].includes(status))) return items;
    await delay(asksEvery, undefined, { signal });
  }
}
