import type { AcmePlan } from './AcmePlan.ts';
import { AcmeRefusal } from './AcmeRefusal.ts';
import { type Failure, LocalFault } from './LocalFault.ts';

/** What to do about a name that the authority could not prove, or does not want to (RFC 8555, section 6.7). */
const ofNames: Readonly<Record<string, Failure>> = {
  dns: {
    words: 'the authority finds no address for',
    remedy: 'Have a record of the name in the DNS (A, AAAA) lead to this machine, or correct the variable.',
  },
  connection: {
    words: 'the authority cannot reach port 80 of',
    remedy:
      'Open port 80 to the internet, here and at the provider, and see that the DNS leads to this machine, with AAAA records as well.',
  },
  unauthorized: {
    words: 'something else answers the authority on port 80 of',
    remedy: 'Have the DNS lead to this machine alone, with AAAA records as well, and see that no proxy or other program takes that port.',
  },
  caa: {
    words: 'CAA records forbid the authority to issue for',
    remedy: 'Add the authority to the CAA records of the name in the DNS, or choose another one with ACME_SERVER.',
  },
};

const ofAccounts: Readonly<Record<string, Failure>> = {
  rejectedIdentifier: {
    words: 'PORTAL_URL, MACHINE_API_URL: the authority issues nothing for one of these names',
    remedy: 'Correct them: a public authority takes only names that are registered. Or choose another one with ACME_SERVER.',
  },
  rateLimited: {
    words: 'ACME_SERVER: the authority takes no more orders for now',
    remedy: 'It is asked again by itself when it allows; https://letsencrypt.org/docs/rate-limits has the limits of Let’s Encrypt.',
  },
  invalidContact: { words: 'ACME_EMAIL: the authority does not take this address', remedy: 'Write another one, or leave it out.' },
  externalAccountRequired: {
    words: 'ACME_SERVER: the authority wants an account that was made at its own site, which the service cannot use',
    remedy: 'Choose another authority, or get certificates with a program that can, and name them in PORTAL_TLS_… and MACHINE_TLS_….',
  },
  userActionRequired: {
    words: 'ACME_SERVER: the authority wants you to do something first',
    remedy: 'Read what it says; it may have new terms. An account of its own begins when account.key in ACME_DIR is deleted.',
  },
};
const sameAs = { incorrectResponse: 'unauthorized', tls: 'connection', unsupportedContact: 'invalidContact' } as const;

const checkServer =
  'See that ACME_SERVER is the URL of the authority’s directory, and that this machine’s network lets it out. Name the root of an authority of your own in NODE_EXTRA_CA_CERTS.';

/** Puts what an attempt has thrown into words. */
export function tellFailure(error: unknown, { names, server }: Pick<AcmePlan, 'names' | 'server'>): Failure {
  if (error instanceof LocalFault) return error.failure;
  if (error instanceof AcmeRefusal) {
    const { type, detail, name } = error.reason;
    const known = Object.hasOwn(sameAs, type) ? sameAs[type as keyof typeof sameAs] : type;
    const found = name !== undefined && Object.hasOwn(ofNames, known) ? ofNames[known] : undefined;
    if (name !== undefined && found)
      return { words: `${names.get(name) ?? 'PORTAL_URL'}: ${found.words} ${name} (${detail})`, remedy: found.remedy };
    const { words, remedy } = (Object.hasOwn(ofAccounts, known) ? ofAccounts[known] : undefined) ?? {
      words: 'ACME_SERVER: the authority refuses',
      remedy: 'See what it says, and its own status page.',
    };
    return { words: `${words} (${name === undefined ? '' : `${name}: `}${type}: ${detail})`, remedy };
  }
  const { host } = new URL(server);
  const { code, name, message } = (error instanceof Error ? error : new Error(String(error))) as NodeJS.ErrnoException;
  if (name === 'TimeoutError' || name === 'AbortError')
    return { words: `ACME_SERVER: ${host} has not come to an end in time`, remedy: 'See its status page; it is asked again by itself.' };
  if (code !== undefined) return { words: `ACME_SERVER: ${host} cannot be reached (${code})`, remedy: checkServer };
  return { words: `ACME_SERVER: ${host} does not answer as an authority does (${message.slice(0, 200)})`, remedy: checkServer };
}
