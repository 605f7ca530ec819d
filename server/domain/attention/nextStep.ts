import type { IntegrationFacts } from './facts/IntegrationFacts.ts';
import type { AttentionItem } from '../notification/words/AttentionItem.ts';
import { isSettingUp, settingUpWords } from './facts/settingUp.ts';
import { attentionOf } from './attentionOf.ts';
import { actOn, type Act } from '../notification/words/attentionKinds.ts';
import { attentionWords } from '../notification/words/attentionWords.ts';
import { certificateFacts } from '../certificate/certificateFacts.ts';
import { corpusFacts } from '../sandbox/corpusFacts.ts';
import { waitsForAdministrator } from '../integration/integrationStatus.ts';
import { factsIn } from '../shared/lifecycle.ts';

/** What comes next for an integration: what to do, or what it waits for. */
type NextStep = Pick<AttentionItem, 'title' | 'detail' | 'text' | 'since' | 'deadline' | 'timeForm'> & {
  /** Null where nothing needs the owner. */
  readonly level: AttentionItem['level'] | null;
  readonly act: Act | null;
  /** Whether it needs the service’s staff, so that the page says how to reach them. */
  readonly contact: boolean;
};

type Words = { readonly title: string; readonly text: string; readonly act?: Act };

/**
 * The next step: what needs the owner first, otherwise what comes next on the way to production. Null where nothing does, because
 * everything works or everything is over.
 */
export function nextStep(facts: IntegrationFacts): NextStep | null {
  const [first] = attentionOf(facts);
  if (first) {
    const { level, title, detail, text, since, deadline, timeForm, act } = first;
    return { level, title, detail, text, since, deadline, timeForm, act, contact: waitsForAdministrator(facts.status) };
  }
  const words = comingStep(facts);
  return words && { level: null, since: null, deadline: null, act: null, contact: false, ...words };
}

function comingStep(facts: IntegrationFacts): Words | null {
  switch (facts.status) {
    case 'submitted':
      return {
        title: 'Wait for the review',
        text: 'We email you when the reviewers ask a question or make a decision. The profile is frozen until then; your sandbox keeps working.',
        act: actOn('production', 'View the submission'),
      };
    case 'active':
      return productionStep(facts);
    case 'sandbox':
      return sandboxStep(facts);
    // What they need is said already.
    case 'rejected':
    case 'approved':
    case 'suspended':
    case 'retired':
    case 'unknown':
      return null;
  }
}

function productionStep(facts: IntegrationFacts): Words | null {
  const { production } = facts;
  if (!production) return null;
  const title = isSettingUp(facts, production) ? settingUpWords(facts, production) : null;
  if (production.certificates.every(({ status }) => factsIn(certificateFacts, status).stage === 'pending')) {
    return { ...beingIssued, ...(title && { title }), act: actOn('certificates', 'Go to certificates', 'production') };
  }
  if (title) return { ...attentionWords.gateClosed({}), title };
  if (production.lastRequestAt === null) {
    return {
      title: 'Call production',
      text: 'Everything is ready. Switch your back end to the production certificate; each call appears here a second or two after its response.',
      act: actOn('requests', 'Make your first call', 'production'),
    };
  }
  if (production.maySync && production.lastSyncAt === null) {
    return {
      title: 'Sync for the first time',
      text: 'Your back end has called production, but no sync has succeeded yet. Call GET /v1/sync; if it is refused, the request log says why.',
      act: actOn('requests', 'View requests', 'production'),
    };
  }
  return null;
}

function sandboxStep({ sandbox, corpus }: IntegrationFacts): Words | null {
  const held = sandbox?.certificates ?? [];
  const toCertificates = (label: string) => actOn('certificates', label, 'sandbox');
  if (!held.some(({ status }) => factsIn(certificateFacts, status).stage === 'working')) {
    return held.length > 0
      ? { ...beingIssued, act: toCertificates('Go to certificates') }
      : {
          title: 'Get a sandbox certificate',
          text: 'Your browser can make the key: one click, and it saves the key and its certificate as two files. Your back end then calls the sandbox with them.',
          act: toCertificates('Get a certificate'),
        };
  }
  if (!corpus || !corpusFacts[corpus].isReady) {
    return { title: 'Your test data is being generated', text: 'This usually takes less than a minute. The page updates by itself.' };
  }
  if (sandbox?.lastRequestAt === null) {
    return {
      title: 'Call your sandbox',
      text: 'Everything is ready. The commands already contain your own values, and each call appears here a second or two after its response.',
      act: actOn('requests', 'Make your first call', 'sandbox'),
    };
  }
  return {
    title: 'Submit for production review',
    text: 'When your back end syncs, deletes what users revoke and shows the credit, submit the profile for review.',
    act: actOn('production', 'Go to the checklist'),
  };
}

const beingIssued = { title: 'Your certificate is being issued', text: 'This takes a few seconds. You can then download it.' };
