import type { Challenge } from '../../../features/webhooks/webhookQueries.ts';

/** What helps where a challenge failed, by the step at which it did. The service says what it has found. */
const cures = {
  addresses: 'Check the spelling of the host and its A and AAAA records: all of them must lead to public addresses.',
  connection: 'Start your receiver, or the proxy in front of it, and let port 443 in from everywhere, because our addresses can change.',
  tls: 'Install a certificate of a public authority for exactly this host, with its intermediate certificates, and check that the server picks it for this name (SNI).',
  status: 'Accept a POST on this path without a password, a cookie or a redirect, and answer 200. The challenge has no signature.',
  body: 'Answer with a body such as {"challenge": "the value of this very request"}. Each challenge is a new value.',
} as const satisfies Record<Challenge['steps'][number]['name'], string>;

/** The step that helps after a failed challenge. */
export function cureOf({ steps }: Pick<Challenge, 'steps'>): string {
  const failed = steps.find(({ outcome }) => outcome === 'failed');
  return failed ? cures[failed.name] : 'Send the challenge again.';
}
