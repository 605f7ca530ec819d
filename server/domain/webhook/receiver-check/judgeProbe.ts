import { attemptOutcome } from '../delivery/retryPolicy.ts';
import type { OutboundErrorKind } from '../WebhookTransport.ts';
import { probes, type ProbeKind, type ProbeVerdict, type ProbeWords } from './probes.ts';

/** What a receiver did with a probe: its answer's status, or what kept it from answering. */
type ProbeAnswer = { readonly status: number | null; readonly error: OutboundErrorKind | null };

/** How a probe went, and what to mend; null where there is nothing. */
type Judgement = { readonly verdict: ProbeVerdict; readonly mend: string | null };

const noAnswer =
  'There was no complete answer. Answer every request within 15 seconds, also those that you refuse: without an answer it is delivered again.';
const retried =
  'It was refused, but with a status that asks for a repetition. Answer 400 or 401, so that nobody sends the same again; 429 is for temporary load shedding only.';
const brokenOff =
  'It was refused by closing the connection. Answer 413 instead, and read on for a moment, so that the answer arrives: without one, the same is sent again.';
const redirected = 'Answer at the registered URL itself. Redirects are never followed.';

/** Judges a receiver's answer to a probe by the specification's rules for receivers. */
export function judgeProbe(kind: ProbeKind, { status, error }: ProbeAnswer): Judgement {
  const { expected, mend, mayWait, mayBreakOff }: ProbeWords = probes[kind];
  if (mayBreakOff && error === 'connection_reset') return { verdict: 'advice', mend: brokenOff };
  if (error !== null || status === null) return { verdict: 'failed', mend: noAnswer };
  if (status >= 300 && status < 400) return { verdict: 'failed', mend: redirected };
  if (status >= 200 && status < 300) {
    if (expected === 'accepted') return { verdict: 'passed', mend: null };
    return { verdict: expected === 'either' ? 'advice' : 'failed', mend };
  }
  if (expected === 'accepted') return { verdict: 'failed', mend };
  if (mayWait && status === 503) return { verdict: 'passed', mend: null };
  return attemptOutcome({ status }) === 'retry' ? { verdict: 'advice', mend: retried } : { verdict: 'passed', mend: null };
}
