import { z } from 'zod';
import { second } from '../../domain/shared/limits.ts';
import { parsedJson } from './parsedJson.ts';

const problem = z.object({ type: z.string().default(''), detail: z.string().default('') });

type Reason = {
  /** The last part of the URN of RFC 8555, section 6.7, such as `rateLimited`. */
  readonly type: string;
  /** In the authority’s words. */
  readonly detail: string;
  /** The name that it is about, if it is about one. */
  readonly name?: string | undefined;
  /** How long the authority wants to be left alone, in milliseconds. */
  readonly toldToWait?: number;
};

/** What an authority says when it does not issue. */
export class AcmeRefusal extends Error {
  override readonly name = 'AcmeRefusal';
  readonly reason: Reason;

  constructor(reason: Reason) {
    super(`${reason.type}: ${reason.detail}`);
    this.reason = reason;
  }

  /** What an answer says that is no success. */
  static in({ status, data, headers }: { status: number; data: string; headers: object }): AcmeRefusal {
    const toldToWait = waitIn(headers);
    return new AcmeRefusal({ ...reasonOf(parsedJson(data), `HTTP ${status}`), ...(toldToWait !== undefined && { toldToWait }) });
  }

  /** Why an authorization, or an order, has come to nothing. */
  static of({
    identifier,
    challenges,
  }: {
    identifier?: { value: string };
    challenges: readonly { error?: object | undefined }[];
  }): AcmeRefusal {
    const error = challenges.find((challenge) => challenge.error !== undefined)?.error;
    return new AcmeRefusal({ ...reasonOf(error, 'without a reason'), name: identifier?.value });
  }
}

function reasonOf(data: unknown, otherwise: string): Pick<Reason, 'type' | 'detail'> {
  const { data: said } = problem.safeParse(data);
  return { type: said?.type.replace(/^urn:ietf:params:acme:error:/, '') || 'unknown', detail: said?.detail.slice(0, 300) || otherwise };
}

/** Retry-After, as seconds or as a date (RFC 9110, section 10.2.3). */
function waitIn(headers: object): number | undefined {
  const value = 'retry-after' in headers ? String(headers['retry-after']) : '';
  const wait = /^\d+$/.test(value) ? Number(value) * second : Date.parse(value) - Date.now();
  return wait > 0 ? wait : undefined;
}
