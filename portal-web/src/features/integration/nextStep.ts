/** What the next step is decided from. */
export type ProgressFacts = {
  status: string;
  corpusState: string | null;
  /** Those of the sandbox. */
  certificates: readonly { status: string }[];
  /** Whether the sandbox has ever been called. */
  called: boolean;
  /** Whether both production gates are open. */
  productionDataEnabled: boolean;
  /** Whether the production client has a certificate that it can call with. */
  productionCertificate: boolean;
  /** Whether the reviewers wait for an answer; left out where that is not known. */
  asked?: boolean;
};

type Page = 'sandbox' | 'certificates' | 'productionCertificates' | 'production' | 'deletions' | 'requests';

/** The one next thing to do, what it waits for, and where it is done. */
export type NextStep = { title: string; text: string; action?: { page: Page; label: string } };

/** Answers "what do I do next?" for an integration. */
export function nextStep(facts: ProgressFacts): NextStep {
  if (facts.status === 'active') return productionStep(facts);
  if (facts.status === 'submitted' && facts.asked) return question;
  return later[facts.status] ?? sandboxStep(facts);
}

const question: NextStep = {
  title: 'Answer the reviewers',
  text: 'They have asked something. The review goes on when you have answered; until then it waits for you.',
  action: { page: 'production', label: 'Go to the question' },
};

const later: Readonly<Record<string, NextStep>> = {
  submitted: {
    title: 'The reviewers have it',
    text: 'Nothing is left to do but to answer their questions. The profile is frozen meanwhile; your sandbox goes on.',
    action: { page: 'production', label: 'See the submission' },
  },
  rejected: {
    title: 'Change what the reviewers noted',
    text: 'Their notes stand with each point of the checklist. Then submit again.',
    action: { page: 'production', label: 'Read the notes' },
  },
  approved: {
    title: 'Activate for production',
    text: 'The reviewed profile goes live. You can prepare a production certificate before.',
    action: { page: 'production', label: 'Go to the activation' },
  },
  suspended: {
    title: 'Settle what led to the suspension',
    text: 'Production access is stopped; your sandbox goes on. Record every deletion that is outstanding. An administrator then reactivates the integration.',
    action: { page: 'deletions', label: 'Go to the deletions' },
  },
  retired: {
    title: 'Retired for good',
    text: 'Every call is refused, and the slug is never used again. What users had shared has to be deleted within 7 days; record here that it is.',
    action: { page: 'deletions', label: 'Go to the deletions' },
  },
};

const getProductionCertificate: NextStep = {
  title: 'Get a production certificate',
  text: 'The integration is active, but nothing can call for it yet. Make a new key: sandbox and production never share one.',
  action: { page: 'productionCertificates', label: 'Get a certificate' },
};

const waitsForGate: NextStep = {
  title: 'Wait for the production gate',
  text: 'Capabilities answer already; data does once an administrator opens the gate. There is nothing for you to do.',
  action: { page: 'production', label: 'See the gate' },
};

const productionFlows: NextStep = {
  title: 'Production data flows',
  text: 'Keep pulling, acknowledge deletions within 7 days, and change certificates before they expire.',
  action: { page: 'requests', label: 'See the requests' },
};

function productionStep({ productionDataEnabled, productionCertificate }: ProgressFacts): NextStep {
  if (!productionCertificate) return getProductionCertificate;
  return productionDataEnabled ? productionFlows : waitsForGate;
}

function sandboxStep({ corpusState, certificates, called }: ProgressFacts): NextStep {
  const usable = certificates.some((certificate) => certificate.status === 'issued');
  const pending = certificates.some((certificate) => certificate.status === 'pending');
  if (pending && !usable) {
    return {
      title: 'Your certificate is being issued',
      text: 'This takes a few seconds. Then you download it here.',
      action: { page: 'certificates', label: 'Go to the certificates' },
    };
  }
  if (!usable) {
    return {
      title: 'Get a client certificate',
      text: 'Make a key on your machine and upload its certificate request. The sandbox is read with it.',
      action: { page: 'certificates', label: 'Get a certificate' },
    };
  }
  if (corpusState === 'failed') {
    return {
      title: 'Make the synthetic data once more',
      text: 'Making it failed, and the service has stopped trying. Nothing half-made is ever shown.',
      action: { page: 'sandbox', label: 'Go to the sandbox' },
    };
  }
  if (corpusState !== 'ready') {
    return { title: 'The synthetic data is on its way', text: 'It usually takes less than a minute. This page updates by itself.' };
  }
  if (!called) {
    return {
      title: 'Pull your sandbox',
      text: 'Everything is in place. The commands carry your own values, and each call shows a second or two after its answer.',
      action: { page: 'requests', label: 'Make the first call' },
    };
  }
  return {
    title: 'Submit for production review',
    text: 'Once your back end syncs, acknowledges deletions and shows the credit, hand the profile to the reviewers.',
    action: { page: 'production', label: 'Go to the checklist' },
  };
}
