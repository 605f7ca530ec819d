import { certificateFacts } from '../../../../../server/domain/certificate/certificateFacts.ts';
import { integrationFacts, phaseFacts } from '../../../../../server/domain/integration/integrationFacts.ts';
import {
  type OnTheWay,
  productionPath,
  productionStepNames,
  type ProductionStepName,
  stepAhead,
} from '../../../../../server/domain/notification/words/productionPath.ts';
import { type Integration, isStopped, type Phase, wasEverActive } from '../../../features/integration/integrationQuery.ts';
import type { StatusTone } from '../../../ui/values/statusTone.ts';
import type { Production } from './productionQuery.ts';

type StepFacts = Pick<
  Integration,
  | 'status'
  | 'statusChangedAt'
  | 'phases'
  | 'reviewWaitsFor'
  | 'reviewedProfileVersion'
  | 'productionDataEnabled'
  | 'productionGate'
  | 'serviceGate'
> & {
  latestSteps: readonly Pick<Integration['latestSteps'][number], 'step' | 'at'>[];
  /** The production client's pending and usable certificates. */
  certificates: readonly { status: keyof typeof certificateFacts; issuedAt: string | null }[];
};

export type ProductionStep = {
  name: ProductionStepName;
  title: string;
  /** `yours` is the step that waits for the owner, `theirs` the one that waits for the service. */
  state: 'done' | 'yours' | 'theirs' | 'later' | 'stopped';
  /** What is done or stopped has a colour of its own. */
  tone?: StatusTone;
  word: string;
  at: string | null;
};

/** The way from the sandbox to live production data: what is done and since when, and the one step that comes next. */
export function productionSteps(facts: StepFacts): ProductionStep[] {
  const way = onTheWay(facts);
  const times = doneAt(facts);
  const { tone, word } = integrationFacts[facts.status];
  const { calls } = phaseFacts[facts.phases.production];
  const current = isStopped(facts.phases.production) ? null : stepAhead(way);
  return productionStepNames.map((name) => {
    const { title, isDone } = productionPath[name];
    const known = { name, title };
    if (name === 'activate' && calls === 'notNow') return { ...known, state: 'stopped', tone, word, at: facts.statusChangedAt };
    if (isDone(way)) return { ...known, state: 'done', tone: 'good', word: 'Done', at: times[name] };
    if (name === current && isToBeHad(name, facts)) return { ...known, ...turnOf(name, facts), at: null };
    return { ...known, state: 'later', word: calls === 'never' ? 'Ended' : 'Later', at: null };
  });
}

/** The step that is next, or null where all are done or nothing goes on. */
export function currentStep(steps: readonly ProductionStep[]): ProductionStep | null {
  return steps.find(({ state }) => state === 'yours' || state === 'theirs') ?? null;
}

function onTheWay({ status, phases, reviewedProfileVersion, productionDataEnabled, latestSteps, certificates }: StepFacts): OnTheWay {
  return {
    isInReview: integrationFacts[status].isInReview,
    isApproved: reviewedProfileVersion !== null,
    isActivated: phaseFacts[phases.production].calls === 'yes' || wasEverActive({ latestSteps }),
    hasCertificate: certificates.some(isIssued),
    isGateOpen: productionDataEnabled,
  };
}

/** When each step was done, where that is known. */
function doneAt({ productionGate, serviceGate, latestSteps, certificates }: StepFacts): Record<ProductionStepName, string | null> {
  const last = (step: Integration['latestSteps'][number]['step']) => latestSteps.find((entry) => entry.step === step)?.at ?? null;
  return {
    submit: last('submitted'),
    review: last('approved'),
    // What its owner never activated, an administrator has reactivated in their place.
    activate: last('activated') ?? last('reactivated'),
    certificate: certificates.find(isIssued)?.issuedAt ?? null,
    // Production data flows since the later of the two was opened.
    gate: [productionGate.changedAt ?? '', serviceGate?.changedAt ?? ''].toSorted().at(-1) || null,
  };
}

function isIssued({ status }: StepFacts['certificates'][number]): boolean {
  return certificateFacts[status].stage === 'working';
}

/** A certificate is not waited for where none is given out. */
function isToBeHad(name: ProductionStepName, { phases }: StepFacts): boolean {
  return name !== 'certificate' || phaseFacts[phases.production].certificates === 'yes';
}

function turnOf(name: ProductionStepName, { status, reviewWaitsFor, certificates }: StepFacts): Pick<ProductionStep, 'state' | 'word'> {
  switch (name) {
    case 'submit':
      return { state: 'yours', word: status === 'rejected' ? 'Changes needed' : 'Your turn' };
    case 'review':
      return reviewWaitsFor === 'operator' ? { state: 'yours', word: 'Answer needed' } : { state: 'theirs', word: 'With the reviewers' };
    case 'activate':
      return { state: 'yours', word: 'Your turn' };
    case 'certificate':
      return certificates.some((certificate) => certificateFacts[certificate.status].stage === 'pending')
        ? { state: 'theirs', word: 'Being issued' }
        : { state: 'yours', word: 'Your turn' };
    case 'gate':
      return { state: 'theirs', word: 'With the administrators' };
  }
}

type ProductionData = { word: string; tone: 'good' | 'waiting' | 'stopped'; text: string };

const notActive: ProductionData = {
  word: 'Not enabled',
  tone: 'waiting',
  text: 'Every production call returns 403 integration_not_active until you activate the integration.',
};
/** Where the gates decide, null. */
const closedWords: Readonly<Record<Phase, ProductionData | null>> = {
  unapproved: notActive,
  prepared: notActive,
  open: null,
  suspended: {
    word: 'Stopped',
    tone: 'stopped',
    text: 'The integration is suspended. Every production call returns 403 integration_suspended.',
  },
  over: { word: 'Stopped', tone: 'stopped', text: 'The integration is retired. Every call is refused.' },
};

/** Whether production data flows, and what the machine API answers. Open gates are not enough: the integration must also be active. */
export function productionDataWords({ phases, productionGate, serviceGate }: Gated): ProductionData {
  const closed = closedWords[phases.production];
  if (closed) return closed;
  const serviceIsOpen = serviceGate?.open ?? false;
  if (productionGate.open && serviceIsOpen) {
    return { word: 'Enabled', tone: 'good', text: 'Capabilities report production_data_enabled: true.' };
  }
  const which = productionGate.open
    ? 'The gate of the whole service is closed.'
    : serviceIsOpen
      ? 'The gate of this integration is closed.'
      : 'Both gates are closed.';
  const text = `${which} Until both are open, data requests return 403 production_data_disabled. Capabilities and acknowledgements work.`;
  return { word: 'Not enabled', tone: 'waiting', text };
}

type Gated = Pick<Integration, 'phases'> & { readonly productionGate: Gate; readonly serviceGate?: Gate | null | undefined };
type Gate = { readonly open: boolean };

/** A place in the queue in words: “2 before you; half of reviews take 1 day or less.” Empty if there is nothing to say. */
export function queueWords(queue: Production['integration']['reviewQueue']): string {
  if (!queue || queue.before === null) return '';
  const place = queue.before === 0 ? 'You are next' : `${queue.before.toLocaleString('en')} before you`;
  if (queue.medianDays === null) return `${place}.`;
  return `${place}; half of reviews take ${queue.medianDays === 1 ? '1 day' : `${queue.medianDays} days`} or less.`;
}
