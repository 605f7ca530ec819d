/** What the next step is decided from. */
export type ProgressFacts = {
  status: string;
  corpusState: string | null;
  certificates: readonly { status: string }[];
};

/** The one next thing to do, and what it waits for. */
export type NextStep = { step: 'corpus' | 'certificate' | 'issuance' | 'call' | 'none'; title: string; text: string };

/** Answers "what do I do next?" for an integration. */
export function nextStep({ status, corpusState, certificates }: ProgressFacts): NextStep {
  if (status === 'retired')
    return { step: 'none', title: 'Retired', text: 'This integration is closed for good. Its slug is never used again.' };
  const usable = certificates.some((certificate) => certificate.status === 'issued');
  const pending = certificates.some((certificate) => certificate.status === 'pending');
  if (pending && !usable) {
    return { step: 'issuance', title: 'Your certificate is being issued', text: 'This takes a few seconds. Then you download it here.' };
  }
  if (!usable) {
    return {
      step: 'certificate',
      title: 'Get a client certificate',
      text: 'Make a key on your machine and upload its certificate request. The sandbox is read with it.',
    };
  }
  if (corpusState === 'failed') {
    return {
      step: 'corpus',
      title: 'The synthetic data could not be made',
      text: 'The service tries again by itself. There is nothing for you to do.',
    };
  }
  if (corpusState !== 'ready') {
    return {
      step: 'corpus',
      title: 'The synthetic data is on its way',
      text: 'It usually takes less than a minute. This page updates by itself.',
    };
  }
  return {
    step: 'call',
    title: 'Pull your sandbox',
    text: 'Everything is in place. The commands for the first calls carry your own values.',
  };
}
