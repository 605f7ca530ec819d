import { createPrivateKey, randomUUID, sign } from 'node:crypto';
import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { Agent, request } from 'node:https';
import { performance } from 'node:perf_hooks';
import { certificateRequest } from './certificateRequest.ts';
import { answerTasks } from './childProcess.ts';

/** Where step-ca listens, and the key that its provisioner trusts. */
export type StepCa = { readonly port: number; readonly caPem: string; readonly provisioner: string; readonly privateKeyPem: string };

/** Makes keys, requests and tokens beforehand, or sends requests for this many milliseconds and answers how many were signed. */
export type StepCaTask =
  | { readonly kind: 'prepare'; readonly stepCa: StepCa; readonly count: number }
  | { readonly kind: 'request'; readonly milliseconds: number };

const connections = 8;
const agent = new Agent({ keepAlive: true, maxSockets: connections });
let ca: StepCa;
let prepared: string[] = [];

answerTasks(async (message) => {
  const task = message as StepCaTask;
  if (task.kind === 'request') return requestFor(task.milliseconds);
  ca = task.stepCa;
  prepared = Array.from({ length: task.count }, bodyOf);
  return 0;
});

/** A request for a certificate with a token that allows it once. */
function bodyOf(): string {
  const name = `${randomUUID()}.example`;
  const now = Math.floor(Date.now() / 1000);
  const head = { alg: 'ES256', kid: ca.provisioner, typ: 'JWT' };
  const claims = { iss: ca.provisioner, sub: name, sans: [name], jti: randomUUID(), iat: now, nbf: now, exp: now + 290 };
  const signed = [head, { ...claims, aud: 'https://localhost/1.0/sign' }].map(encoded).join('.');
  const key = { key: createPrivateKey(ca.privateKeyPem), dsaEncoding: 'ieee-p1363' } as const;
  const ott = `${signed}.${sign('sha256', Buffer.from(signed), key).toString('base64url')}`;
  return JSON.stringify({ csr: certificateRequest(name).csrPem, ott });
}

const encoded = (part: object): string => Buffer.from(JSON.stringify(part)).toString('base64url');

async function requestFor(milliseconds: number): Promise<number> {
  const end = performance.now() + milliseconds;
  let signed = 0;
  const send = async (): Promise<void> => {
    while (performance.now() < end) {
      const body = prepared.pop();
      if (body === undefined) throw new Error('Too few requests were prepared.');
      await signOne(body);
      signed += 1;
    }
  };
  await Promise.all(Array.from({ length: connections }, send));
  return signed;
}

async function signOne(body: string): Promise<void> {
  const headers = { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(body) };
  const asked = request({ host: 'localhost', port: ca.port, path: '/1.0/sign', method: 'POST', agent, ca: ca.caPem, headers });
  asked.end(body);
  const [answer] = (await once(asked, 'response')) as [IncomingMessage];
  const text = (await answer.toArray()).join('');
  if (answer.statusCode !== 201) throw new Error(`step-ca answered ${answer.statusCode}: ${text.slice(0, 200)}`);
}
