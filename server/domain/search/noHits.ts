import type { IdPrefix } from '../shared/ids.ts';
import { limits } from '../shared/limits.ts';
import { usageLimits } from '../usage/usageLimits.ts';
import { webhookLimits } from '../outbox/webhookLimits.ts';
import type { Asked } from './readText.ts';

/** What is said where nothing was found. It depends on the text alone, so it tells nobody whether another’s thing exists. */
export type NoHits = { readonly title: string; readonly text: string };

const day = 24 * 60 * 60 * 1000;
const days = (span: number) => (span === day ? 'a day' : `${span / day} days`);

type Named = { readonly names: string; readonly says: string };

/** What each prefix names, and where such a thing is or how long it is kept. */
const prefixes: Readonly<Record<IdPrefix, Named>> = {
  opr: { names: 'an account', says: 'You can find your own account. Administrators can find all of them.' },
  int: { names: 'an integration', says: 'You can find your own integrations, including retired ones.' },
  cli: { names: 'a client', says: 'Each integration has one client for the sandbox and, once approved, one for production.' },
  crt: { names: 'a certificate', says: 'Certificates are kept for as long as their integration.' },
  con: { names: 'a connection', says: 'Regenerating the test data removes the sandbox’s connections.' },
  ord: { names: 'a shared order', says: 'Regenerating the test data removes the sandbox’s orders.' },
  veh: { names: 'a shared stock vehicle', says: 'Regenerating the test data removes the sandbox’s stock vehicles.' },
  rev: { names: 'a revocation', says: 'Regenerating the test data removes the sandbox’s revocations.' },
  evt: { names: 'an event', says: `Events are kept for ${days(webhookLimits.webhookHistoryKept)}.` },
  gen: { names: 'a statistics generation', says: 'Your back end reads generations from the machine API. The portal does not show them.' },
  req: {
    names: 'a request',
    says: `Requests to the machine API are kept for ${days(usageLimits.requestLogKept)}. A new one appears a second or two after its response.`,
  },
  ses: { names: 'a session', says: 'Your sessions are listed on the Account page.' },
  lnk: { names: 'a link code', says: `Sandbox link codes are kept for ${days(limits.linkCodeKept)}.` },
  emc: { names: 'an address change', says: 'If you are changing your address, the change is on the Account page.' },
  svt: { names: 'a service token', says: 'Service tokens belong to the order-tracking service. Only administrators can find them.' },
  bmr: { names: 'a business model report', says: 'Reports are on the integration’s Profile page.' },
  agr: { names: 'an agreement', says: 'Agreements are on the integration’s Profile page.' },
  lgo: { names: 'a logo', says: 'Logos are on the integration’s Profile page.' },
  mail: { names: 'an email', says: 'The portal does not show individual emails.' },
  key: {
    names: 'a key of the service',
    says: 'The portal does not show it. The public keys that verify deliveries are in the key set, under other IDs.',
  },
  sub: { names: 'a submission', says: 'You can find your own submissions. Reviewers can find everyone else’s.' },
  whk: { names: 'a webhook endpoint', says: `Endpoints are kept for ${days(webhookLimits.webhookHistoryKept)} after they are removed.` },
  whc: { names: 'a challenge', says: 'An endpoint’s page shows its last challenge.' },
  dlv: { names: 'a delivery', says: `Deliveries are kept for ${days(webhookLimits.webhookHistoryKept)}.` },
  wrp: { names: 'a replay', says: 'The deliveries it created are on the endpoint’s page.' },
  wrc: { names: 'a receiver check', says: 'The last check is on the endpoint’s test page.' },
  pgc: { names: 'a page check', says: 'The results of the service’s checks are on the Go live page.' },
  rst: {
    names: 'an account reset',
    says: 'A reset in progress is shown on the Account page.',
  },
  wsm: { names: 'a signed sample', says: 'The last sample is on the endpoint’s test page.' },
};

/** Characters after the prefix. */
const least = 8;

/** What to say where a text names nothing that its reader may see. */
export function explainNoHits(asked: Asked): NoHits {
  switch (asked.by) {
    case 'id': {
      const { names, says } = prefixes[asked.prefix];
      return { title: 'Nothing of yours has this ID', text: `An ID with ${asked.prefix}_ belongs to ${names}. ${says}` };
    }
    case 'short':
      return {
        title: 'Keep typing',
        text: `An ID with ${asked.prefix}_ belongs to ${prefixes[asked.prefix].names}. Enter at least ${least} characters after ${asked.prefix}_.`,
      };
    case 'digits':
      return {
        title: 'No certificate has this serial or fingerprint',
        text: 'The search covers your own integrations’ certificates, including revoked and expired ones.',
      };
    case 'address':
      return {
        title: 'No account found by this address',
        text: 'Only administrators can find accounts by address. Your own is on the Account page.',
      };
    case 'words':
      return {
        title: `No matches for “${asked.text}”`,
        text: 'Search for an integration by name or slug, for a certificate by serial, fingerprint or common name, and for anything else by ID.',
      };
    case 'nothing':
      return { title: 'Type at least two characters', text: 'Or paste an ID, a serial, a fingerprint or a common name.' };
  }
}
