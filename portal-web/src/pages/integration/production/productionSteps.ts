import { certificateFacts } from '../../../../../server/domain/certificate/certificateFacts.ts';
import { integrationFacts, phaseFacts } from '../../../../../server/domain/integration/integrationFacts.ts';
import {
  type OnTheWay,
  productionPath,
  productionStepNames,
  type ProductionStepName,
  stepAhead,
} from '../../../../../server/domain/notification/words/productionPath.ts';
import { type Integration, isStopped, type Phase } from '../../../features/integration/integrationQuery.ts';
import type { Production } from './productionQuery.ts';

type StepFacts = Pick<
  Integration,
  'status' | 'phases' | 'reviewWaitsFor' | 'reviewedProfileVersion' | 'productionDataEnabled' | 'productionGate' | 'serviceGate'
> & {
  timeline: readonly Pick<Integration['timeline'][number], 'step' | 'at'>[];
  /** The production client's pending and usable certificates. */
  certificates: readonly { status: keyof typeof certificateFacts; issuedAt: string | null }[];
};

export type ProductionStep = {
  name: ProductionStepName;
  title: string;
  /** `yours` is the step that waits for the owner, `theirs` the one that waits for the service. */
  state: 'done' | 'yours' | 'theirs' | 'later' | 'stopped';
  word: string;
  at: string | null;
};

/** The step of the activation where something has stopped it, with what the timeline calls that; and what the steps after it say. */
const stops: Readonly<
  Record<Phase, { activation: { word: string; step: Integration['timeline'][number]['step'] } | null; later: string }>
> = {
  unapproved: { activation: null, later: 'Later' },
  prepared: { activation: null, later: 'Later' },
  open: { activation: null, later: 'Later' },
  suspended: { activation: { word: 'Suspended', step: 'suspended' }, later: 'Later' },
  over: { activation: null, later: 'Ended' },
};

/** The way from the sandbox to live production data: what is done and since when, and the one step that comes next. */
export function productionSteps(facts: StepFacts): ProductionStep[] {
  const way = onTheWay(facts);
  const times = doneAt(facts);
  const phase = facts.phases.production;
  const { activation, later } = stops[phase];
  const current = isStopped(phase) ? null : stepAhead(way);
  return productionStepNames.map((name) => {
    const { title, isDone } = productionPath[name];
    const known = { name, title };
    if (name === 'activate' && activation) {
      const stoppedAt = facts.timeline.find(({ step }) => step === activation.step)?.at ?? null;
      return { ...known, state: 'stopped', word: activation.word, at: stoppedAt };
    }
    if (isDone(way)) return { ...known, state: 'done', word: 'Done', at: times[name] };
    if (name === current) return { ...known, ...turnOf(name, facts), at: null };
    return { ...known, state: 'later', word: later, at: null };
  });
}

/** The step that is next, or null where all are done or nothing goes on. */
export function currentStep(steps: readonly ProductionStep[]): ProductionStep | null {
  return steps.find(({ state }) => state === 'yours' || state === 'theirs') ?? null;
}

function onTheWay({ status, phases, reviewedProfileVersion, productionDataEnabled, timeline, certificates }: StepFacts): OnTheWay {
  return {
    isInReview: integrationFacts[status].isInReview,
    isApproved: reviewedProfileVersion !== null,
    isActivated: phaseFacts[phases.production].calls === 'yes' || timeline.some(({ step }) => step === 'activated'),
    hasCertificate: certificates.some(isIssued),
    isGateOpen: productionDataEnabled,
  };
}

/** When each step was done, where that is known. */
function doneAt({ productionGate, serviceGate, timeline, certificates }: StepFacts): Record<ProductionStepName, string | null> {
  const last = (step: string) => timeline.find((entry) => entry.step === step)?.at ?? null;
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
    return { word: 'Enabled', tone: 'good', text: 'Both gates are open. Capabilities report production_data_enabled: true.' };
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
