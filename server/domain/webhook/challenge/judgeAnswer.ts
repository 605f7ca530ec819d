import type { OutboundAnswer } from '../WebhookTransport.ts';
import type { AnswerFault } from './challengeSteps.ts';

/** What an answer proves: nothing wrong (null), or what is wrong with its status or its body. */
export type Verdict = { readonly step: 'status' | 'body'; readonly fault: AnswerFault; readonly facts: readonly string[] } | null;

/**
 * Whether a whole answer proves that whoever answers wants this service's webhooks: any 2xx whose body is a JSON object with exactly the string
 * that was sent in its member `challenge` (docs/specification.md, “Ownership challenge”).
 */
export function judgeAnswer({ status = 0, headers = {}, body = Buffer.alloc(0) }: OutboundAnswer, challenge: string): Verdict {
  if (status >= 300 && status < 400) {
    return { step: 'status', fault: 'redirected', facts: [String(status), ...readable(headers['location'])] };
  }
  if (status < 200 || status > 299) return { step: 'status', fault: 'refused', facts: [String(status), ...readable(body.toString())] };
  const wrong = (fault: AnswerFault, ...facts: string[]): Verdict => ({ step: 'body', fault, facts });
  const encoding = headers['content-encoding'];
  if (encoding !== undefined && encoding !== 'identity') return wrong('compressed', ...readable(encoding));
  let parsed: unknown;
  try {
    parsed = JSON.parse(new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(body));
  } catch {
    return wrong('not_json', ...readable(body.toString()));
  }
  if (typeof parsed !== 'object' || parsed === null || Array.isArray(parsed)) return wrong('no_object', ...readable(body.toString()));
  if (!Object.hasOwn(parsed, 'challenge')) return wrong('no_challenge', ...readable(Object.keys(parsed).join(', ')));
  const { challenge: given } = parsed as { challenge: unknown };
  return given === challenge ? null : wrong('other_challenge', ...readable(typeof given === 'string' ? given : JSON.stringify(given)));
}

/** The beginning of a text that somebody else has written, as far as it can be shown; none if it is empty. */
function readable(text: string | readonly string[] | undefined): string[] {
  const [first = ''] = typeof text === 'string' ? [text] : (text ?? []);
  const shown = first
    .slice(0, 400)
    .replaceAll(/[\p{C}\p{Z}]+/gu, ' ')
    .trim()
    .slice(0, 120)
    .toWellFormed();
  return shown === '' ? [] : [shown];
}
