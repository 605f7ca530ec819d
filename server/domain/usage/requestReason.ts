import { loggedError } from '../shared/errorCatalogue.ts';
import { overlapDays } from '../certificate/certificateFacts.ts';
import type { LoggedRequest } from './requestLog.ts';

/** Why a request was answered as it was, and what to do about it. */
export type RequestReason = {
  /** The answer in a few words. */
  readonly title: string;
  /** What is known about this case. Null if the title says everything. */
  readonly reason: string | null;
  readonly advice: string | null;
};

const answered: Readonly<Record<number, RequestReason>> = {
  202: {
    title: 'Accepted',
    reason: 'The certificate was still being issued.',
    advice: 'Send the same request again after the time in Retry-After.',
  },
  304: { title: 'Unchanged', reason: 'Nothing had changed since the response whose ETag was sent.', advice: null },
  499: {
    title: 'Closed by the caller',
    reason: 'Your side closed the connection before the response was complete. The request counts against the quota.',
    advice: 'Allow up to 30 seconds for each request, and read responses to the end.',
  },
};

/** What of a request, or of a group of them, tells the reason. */
type Refused = Pick<LoggedRequest, 'problem' | 'status' | 'certificate' | 'serial' | 'occurredAt'>;

/** Computed when it is read, from the problem code and from what is known about the certificate by then. */
export function requestReason(request: Refused): RequestReason {
  const { problem, status } = request;
  if (problem === null) return answered[status] ?? { title: 'Answered', reason: null, advice: null };
  const known = loggedError(problem);
  if (known === null) return { title: 'Unknown problem', reason: `Another release of the service answered ${problem}.`, advice: null };
  const { title, advice } = known;
  return { title, reason: certificateReason(request), advice: wasReplaced(request) ? installAdvice : advice };
}

/** The newer certificate is there; only its file has to be where the client reads it. */
const installAdvice =
  'Install the newer certificate, which the Certificates tab has for download. If its private key is lost, request another one.';

/** Whether it was refused only because a newer certificate had taken its place. */
function wasReplaced({ problem, certificate, occurredAt }: Refused): boolean {
  if (problem !== 'client_certificate_expired' || !certificate) return false;
  const { notBefore, notAfter, usableUntil } = certificate;
  if (notBefore && occurredAt < notBefore) return false;
  return notAfter !== null && usableUntil !== null && usableUntil < notAfter && occurredAt <= notAfter;
}

function certificateReason(request: Refused): string | null {
  switch (request.problem) {
    case 'client_certificate_revoked':
      return revokedReason(request);
    case 'client_certificate_expired':
      return expiredReason(request);
    case 'client_certificate_unknown':
      return unknownReason(request);
    default:
      return null;
  }
}

function revokedReason({ certificate }: Refused): string | null {
  if (!certificate?.revokedAt) return null;
  const why = certificate.revocationReason ? ` (${certificate.revocationReason.replaceAll('_', ' ')})` : '';
  return `This certificate was revoked on ${words(certificate.revokedAt)}${why}.`;
}

function expiredReason(request: Refused): string {
  const { certificate, occurredAt } = request;
  if (!certificate) return 'One of our authorities issued this certificate, but it has expired and is not on record for this client.';
  const { notBefore, notAfter, usableUntil } = certificate;
  if (notBefore && occurredAt < notBefore) return `This certificate was not valid until ${words(notBefore)}.`;
  if (usableUntil && wasReplaced(request))
    return `This certificate was replaced by a newer one; the overlap of ${overlapDays} days ended on ${words(usableUntil)}.`;
  return notAfter ? `This certificate was valid until ${words(notAfter)}.` : 'This certificate has expired.';
}

function unknownReason({ certificate, serial }: Refused): string {
  if (certificate) return 'This certificate is on record, but its name and serial do not match.';
  return `One of our authorities issued the certificate with serial ${serial ?? 'unknown'}, but it is not on record for this client.`;
}

function words(at: Date): string {
  return `${at.toISOString().slice(0, 16).replace('T', ' ')} UTC`;
}
