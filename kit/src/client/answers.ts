import { once } from 'node:events';
import type { ClientRequest, IncomingMessage } from 'node:http';
import type { ProblemDetails } from '../contract/contract.ts';
import type { Answer } from './calls.ts';
import { AccessEnded, KitError, Problem } from './errors.ts';

/** The whole answer to a request that has been sent, if it has no more than so many bytes. */
export async function answerTo(outgoing: ClientRequest, mostBytes: number): Promise<Answer> {
  const [incoming] = (await once(outgoing, 'response')) as [IncomingMessage];
  // What becomes of the connection from now on, reading the answer says.
  outgoing.on('error', () => {});
  const body = await bytesOf(incoming, mostBytes);
  if (body) return { status: incoming.statusCode ?? 0, headers: incoming.headers, body };
  outgoing.destroy();
  throw new Error('the answer is too large');
}

/** What arrives, or null if that is more than so many bytes. Of what is more, so much is thrown away before the rest is not even read. */
export async function bytesOf(incoming: IncomingMessage, mostBytes: number, discarded = mostBytes): Promise<Buffer | null> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of incoming.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size <= mostBytes) chunks.push(chunk);
    else if (size > discarded) break;
  }
  return size > mostBytes ? null : Buffer.concat(chunks);
}

/** What an answer other than 200 says. */
export function refusalOf({ status, headers, body }: Answer, resource?: string): KitError {
  const isProblem = headers['content-type']?.startsWith('application/problem+json');
  const details = (isProblem ? parsed(body) : undefined) as ProblemDetails | undefined;
  if (typeof details?.code !== 'string') return new KitError('unexpected_answer', `The answer was ${status}, and no problem.`);
  return details.code === 'access_ended' ? new AccessEnded(details, resource ?? '') : new Problem(details);
}

/** The body, which the caller takes for what the contract says. */
export function bodyOf({ body, headers }: Answer): unknown {
  const value = parsed(body);
  if (value !== undefined) return value;
  throw new KitError('unexpected_answer', 'The answer is not JSON.', { requestId: headers['x-request-id'] as string });
}

function parsed(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString());
  } catch {
    return undefined;
  }
}
