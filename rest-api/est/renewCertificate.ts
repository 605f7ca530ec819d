import { renewCertificate as renew } from '../../server/domain/certificate/renewal/renewCertificate.ts';
import { certificateLimits } from '../../server/domain/certificate/certificateLimits.ts';
import { invalidBody, Problem } from '../answer/problemDetails.ts';
import type { Answer, Call, Services } from '../Operation.ts';
import { certsOnly } from './certsOnly.ts';

/**
 * POST /.well-known/est/simplereenroll: takes the request for the successor of the certificate that makes the call. 202 until a worker has
 * signed it; the same request then gets the certificate.
 */
export async function renewCertificate({ client, actor, document }: Call, { run, clock }: Services): Promise<Answer> {
  const renewal = await run(client.number, (em) => renew(em, { actor, csrDer: document, clock }));
  switch (renewal.state) {
    case 'early':
      throw tooEarly(renewal.from.toISOString());
    case 'refused':
      throw invalidBody('', renewal.message);
    case 'issued':
      return certsOnly([renewal.pem]);
    case 'pending':
      return {
        status: 202,
        mediaType: 'text/plain; charset=utf-8',
        body: 'The certificate is being issued. Send the same request again after the time in Retry-After.\n',
        retryAfterSeconds: secondsToWait(clock.now().getTime() - renewal.requestedAt.getTime()),
      };
  }
}

function tooEarly(from: string): Problem {
  const detail = `This certificate can be renewed from ${from} on, when two thirds of its lifetime have passed.`;
  return new Problem('renewal_too_early', { detail, extensions: { renewable_from: from } });
}

/** As long as it has taken until now, so that a client asks seldom while no worker signs. */
function secondsToWait(waited: number): number {
  const { least, most } = certificateLimits.renewalRetry;
  return Math.ceil(Math.min(Math.max(waited, least), most) / 1_000);
}
