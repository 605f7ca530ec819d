import type { FieldError } from '../../shared/DomainError.ts';
import { webhookLimits } from '../../outbox/webhookLimits.ts';
import { numberWords } from '../../shared/text/numberWords.ts';

/**
 * A URL on the reader's own machine. Everything is spelled out and nothing is parsed, so nothing is read in two ways: a host like
 * `localhost.example`, a name before an `@`, or another notation of an address does not fit.
 */
const loopback = /^https?:\/\/(?:localhost|127\.0\.0\.1|\[::1\])(?::(\d{1,5}))?(?:[/?][\w!$&()*+,\-./:;=?@%~[\]]*)?$/;

/** What is wrong with the URL of a sample. A signature for anybody's public address would let others forge deliveries. */
export function loopbackErrors(url: string, path: string): FieldError[] {
  const port = loopback.exec(url)?.[1];
  if (url.length <= webhookLimits.webhookUrlCharacters && loopback.test(url) && Number(port ?? 80) <= 65_535 && Number(port ?? 80) > 0)
    return [];
  return [
    {
      path,
      message: `Samples are signed only for receivers on your own machine: localhost, 127.0.0.1 or [::1], with http:// or https://, with a port and a path as you like, without a fragment, and at most ${numberWords(webhookLimits.webhookUrlCharacters)} characters long.`,
    },
  ];
}
