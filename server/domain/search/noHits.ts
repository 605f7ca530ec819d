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
  opr: { names: 'an account', says: 'Administrators find accounts; everybody else finds only their own.' },
  int: { names: 'an integration', says: 'You find your own integrations, retired ones included.' },
  cli: { names: 'a client', says: 'Each integration has one for the sandbox and, once it is approved, one for production.' },
  crt: { names: 'a certificate', says: 'Certificates are kept for as long as their integration.' },
  con: { names: 'a connection', says: 'In the sandbox, connections go when the test data is regenerated.' },
  ord: { names: 'a shared order', says: 'In the sandbox, orders go when the test data is regenerated.' },
  veh: { names: 'a shared stock vehicle', says: 'In the sandbox, stock vehicles go when the test data is regenerated.' },
  rev: { names: 'a revocation', says: 'In the sandbox, revocations go when the test data is regenerated.' },
  evt: { names: 'an event', says: `Events are kept for ${days(webhookLimits.webhookHistoryKept)}.` },
  gen: { names: 'a statistics generation', says: 'Your back end reads it from the machine API; no page shows it.' },
  req: {
    names: 'a request',
    says: `Requests to the machine API are kept for ${days(usageLimits.requestLogKept)}. The latest ones appear a second or two after their response.`,
  },
  ses: { names: 'a session', says: 'Your sessions are on the page Account.' },
  lnk: { names: 'a link code', says: `Link codes of the sandbox are kept for ${days(limits.linkCodeKept)} after they were made.` },
  emc: { names: 'a change of address', says: 'A change that is under way is on the page Account.' },
  svt: { names: 'a service token', says: 'Service tokens belong to the order-tracking service; administrators find them.' },
  bmr: { names: 'a report of a business model', says: 'The owner’s reports are on the page Profile.' },
  agr: { names: 'an agreement', says: 'The owner’s agreements are on the page Profile.' },
  lgo: { names: 'a logo', says: 'The logo of an integration is on its page Profile.' },
  mail: { names: 'an email', says: 'No page shows single emails.' },
  key: {
    names: 'a key of the service',
    says: 'No page shows one. The keys that sign deliveries are published in the key set, under other names.',
  },
  sub: { names: 'a submission', says: 'Owners find their own, and reviewers find all others.' },
  whk: { names: 'a webhook endpoint', says: `Endpoints are kept for ${days(webhookLimits.webhookHistoryKept)} after they were removed.` },
  whc: { names: 'a challenge', says: 'The last challenge of an endpoint is on its page.' },
  dlv: { names: 'a delivery', says: `Deliveries are kept for ${days(webhookLimits.webhookHistoryKept)}.` },
  wrp: { names: 'an order to replay', says: 'The deliveries that it made are on the endpoint’s page.' },
  wrc: { names: 'a check of a receiver', says: 'The last check is among the endpoint’s tests.' },
  pgc: { names: 'a check of a page', says: 'What the service has checked for a submission is on the page Go live.' },
  rst: {
    names: 'a reset of an account',
    says: 'One that is under way is on the page Account, and for administrators on the account’s page.',
  },
  wsm: { names: 'a signed sample', says: 'The last sample is among the endpoint’s tests.' },
};

/** Characters after the prefix. */
const least = 8;

/** What to say where a text names nothing that its reader may see. */
export function explainNoHits(asked: Asked): NoHits {
  switch (asked.by) {
    case 'id': {
      const { names, says } = prefixes[asked.prefix];
      return { title: `We do not know this ID as one of yours`, text: `${asked.prefix}_ names ${names}. ${says}` };
    }
    case 'short':
      return {
        title: 'Keep typing',
        text: `${asked.prefix}_ names ${prefixes[asked.prefix].names}. It is found from ${least} characters after ${asked.prefix}_ on.`,
      };
    case 'digits':
      return {
        title: 'No certificate has this serial or fingerprint',
        text: 'You find the certificates of your own integrations, also revoked and expired ones.',
      };
    case 'address':
      return {
        title: 'No account is found by this address',
        text: 'Only administrators find accounts by their address. Your own is on the page Account.',
      };
    case 'words':
      return {
        title: `No matches for “${asked.text}”`,
        text: 'You find integrations by name or slug, and everything else by its ID. Certificates are also found by serial, fingerprint and common name.',
      };
    case 'nothing':
      return { title: 'Type two characters or more', text: 'Or paste an ID, a serial, a fingerprint or a common name.' };
  }
}
