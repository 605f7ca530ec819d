import type { OutboundAnswer } from '../WebhookTransport.ts';
import type { AnswerFault } from './challengeSteps.ts';

/** What an answer proves: nothing wrong (null), or what is wrong with its status or its body. */
type Verdict = { readonly step: 'status' | 'body'; readonly fault: AnswerFault; readonly facts: readonly string[] } | null;

/**
 * Whether a whole answer proves that the server that answers wants this service's webhooks: any 2xx whose body is a JSON object with exactly the string
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
    // A byte order mark is read over, as RFC 8259, section 8.1, allows: some frameworks write one.
    parsed = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body));
  } catch {
    return wrong('not_json', ...readable(body.toString()));
  }
  if (typeof parsed !== 'object' || parsed === null || Array.isArray(parsed)) return wrong('no_object', ...readable(body.toString()));
  if (!Object.hasOwn(parsed, 'challenge')) return wrong('no_challenge', ...readable(Object.keys(parsed).join(', ')));
  const { challenge: given } = parsed as { challenge: unknown };
  if (given === challenge) return null;
  // Blanks at the ends are what makes such a string differ, so nothing is trimmed.
  return wrong('other_challenge', ...(typeof given === 'string' ? beginningOf(given, / /g) : readable(JSON.stringify(given))));
}

/** The beginning of a text that somebody else has written, on one line; none if it is empty. */
function readable(text: string | readonly string[] | undefined): string[] {
  const [first = ''] = typeof text === 'string' ? [text] : (text ?? []);
  return beginningOf(
    first
      .slice(0, 400)
      .replaceAll(/[ \t\r\n]+/g, ' ')
      .replaceAll(/^ | $/g, ''),
  );
}

/** What shows nothing: everything but the ordinary blank that is a control, a format character, a space or drawn as nothing. */
const invisible = /(?! )[\p{C}\p{Z}\p{Default_Ignorable_Code_Point}\u2800]/gu;

/** Its first 120 characters, with those that show nothing, and what matches `besides`, written as escapes. */
function beginningOf(text: string, besides?: RegExp): string[] {
  const escaped = (character: string): string => `\\u{${character.codePointAt(0)?.toString(16)}}`;
  const visible = text.slice(0, 400).replaceAll(invisible, escaped);
  const shown = (besides ? visible.replaceAll(besides, escaped) : visible).slice(0, 120).toWellFormed();
  return shown === '' ? [] : [shown];
}
