import type { ProblemDetails } from '../contract/contract.ts';
import { AccessEnded, KitError, Problem } from './errors.ts';
import type { Answer } from './answerTo.ts';

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
  if (value === undefined)
    throw new KitError('unexpected_answer', 'The answer is not JSON.', { requestId: headers['x-request-id'] as string });
  return value;
}

function parsed(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString());
  } catch {
    return undefined;
  }
}
