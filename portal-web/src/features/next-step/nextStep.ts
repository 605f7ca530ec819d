type Held = readonly { readonly status: string }[];

/** The facts that determine the next step. */
export type ProgressFacts = {
  status: string;
  corpusState: string | null;
  /** The sandbox client's pending and usable certificates. */
  certificates: Held;
  /** Whether the sandbox client has ever called. */
  called: boolean;
  /** Whose turn it is in an open review. */
  reviewWaitsFor: 'operator' | 'reviewer' | null;
  /** Why the integration was suspended. */
  suspendedFor: 'missedDeletion' | 'decision' | null;
  /** The deletions owed in production; those in the sandbox are practice. */
  deletions: { outstanding: number; overdue: number };
  /** Whether both production gates are open. */
  productionDataEnabled: boolean;
  /** The production client's pending and usable certificates. */
  productionCertificates: Held;
};

type Page = 'sandbox' | 'certificates' | 'productionCertificates' | 'production' | 'deletions' | 'requests';

/** The next step: what to do, what it waits for, and where to do it. */
export type NextStep = {
  title: string;
  text: string;
  action?: { page: Page; label: string };
  /** Whether the step needs the service's staff, so that the page says how to reach them. */
  contact?: true;
};

type Rule = NextStep & { when: (facts: ProgressFacts) => boolean };

const has = (certificates: Held, status: string) => certificates.some((certificate) => certificate.status === status);
const toDeletions = { page: 'deletions', label: 'Go to deletions' } as const;

const retired: readonly Rule[] = [
  {
    when: ({ deletions }) => deletions.outstanding > 0,
    title: 'Delete what users shared',
    text: 'The integration is retired, and the data that users shared with it must be deleted. Record each deletion here.',
    action: toDeletions,
  },
  {
    when: () => true,
    title: 'Retired for good',
    text: 'Every call is refused, and the slug will never be used again. There is nothing left to do.',
  },
];

const suspended: readonly Rule[] = [
  {
    when: ({ suspendedFor, deletions }) => suspendedFor === 'missedDeletion' && deletions.outstanding > 0,
    title: 'Record your overdue deletions',
    text: 'Production access is stopped because a deletion was not acknowledged in time. Delete the data and record each deletion, then ask us to reactivate the integration.',
    action: toDeletions,
    contact: true,
  },
  {
    when: ({ suspendedFor }) => suspendedFor === 'missedDeletion',
    title: 'Ask us to reactivate the integration',
    text: 'Production access was stopped because a deletion was not acknowledged in time. All deletions are settled now, so an administrator can reactivate the integration.',
    contact: true,
  },
  {
    when: () => true,
    title: 'Talk to us about the suspension',
    text: 'An administrator has stopped production access. Your sandbox keeps working. Resolve the reason above, then ask us to reactivate the integration.',
    contact: true,
  },
];

const submitted: readonly Rule[] = [
  {
    when: ({ reviewWaitsFor }) => reviewWaitsFor === 'operator',
    title: 'Answer the reviewers',
    text: 'They have a question, and the review is on hold until you answer it.',
    action: { page: 'production', label: 'Go to the question' },
  },
  {
    when: () => true,
    title: 'Wait for the review',
    text: 'We email you when the reviewers ask a question or make a decision. The profile is frozen until then; your sandbox keeps working.',
    action: { page: 'production', label: 'View the submission' },
  },
];

const rejected: readonly Rule[] = [
  {
    when: () => true,
    title: 'Address the reviewers’ notes',
    text: 'The decision and the checklist say what has to change. Make the changes, then submit again.',
    action: { page: 'production', label: 'Read the notes' },
  },
];

const approved: readonly Rule[] = [
  {
    when: () => true,
    title: 'Activate for production',
    text: 'Activation puts the reviewed profile into effect. You can get a production certificate before or after activating.',
    action: { page: 'production', label: 'Go to activation' },
  },
];

const active: readonly Rule[] = [
  {
    when: ({ deletions }) => deletions.overdue > 0,
    title: 'Record your overdue deletions',
    text: 'The deadline has passed. Delete the data, then record each deletion in the portal.',
    action: toDeletions,
  },
  {
    when: ({ deletions }) => deletions.outstanding > 0,
    title: 'Delete what users have revoked',
    text: 'Delete every copy, then acknowledge the deletion before the deadline. A missed deadline suspends the integration.',
    action: toDeletions,
  },
  {
    when: ({ productionCertificates: held }) => has(held, 'pending') && !has(held, 'issued'),
    title: 'Your production certificate is being issued',
    text: 'This takes a few seconds. You can then download it.',
    action: { page: 'productionCertificates', label: 'Go to certificates' },
  },
  {
    when: ({ productionCertificates: held }) => !has(held, 'issued'),
    title: 'Get a production certificate',
    text: 'The integration is active but has no certificate to call with. Create a new key: sandbox and production never share one.',
    action: { page: 'productionCertificates', label: 'Get a certificate' },
  },
  {
    when: ({ productionDataEnabled }) => !productionDataEnabled,
    title: 'Wait for the production gate',
    text: 'Capabilities already respond. Data follows once an administrator opens the gate; you do not need to do anything.',
    action: { page: 'production', label: 'View the gate' },
  },
  {
    when: () => true,
    title: 'You are receiving production data',
    text: 'Keep pulling, acknowledge deletions within 7 days, and renew certificates before they expire.',
    action: { page: 'requests', label: 'View requests' },
  },
];

const sandbox: readonly Rule[] = [
  {
    when: ({ certificates: held }) => has(held, 'pending') && !has(held, 'issued'),
    title: 'Your certificate is being issued',
    text: 'This takes a few seconds. You can then download it.',
    action: { page: 'certificates', label: 'Go to certificates' },
  },
  {
    when: ({ certificates: held }) => !has(held, 'issued'),
    title: 'Get a client certificate',
    text: 'Your browser can make the key: two clicks, and you have the key and its certificate as files. Your back end then calls the sandbox with them.',
    action: { page: 'certificates', label: 'Get a certificate' },
  },
  {
    when: ({ corpusState }) => corpusState === 'failed',
    title: 'Regenerate the test data',
    text: 'Generating it failed, and the service has stopped trying. Incomplete test data is never shown.',
    action: { page: 'sandbox', label: 'Go to the sandbox' },
  },
  {
    when: ({ corpusState }) => corpusState !== 'ready',
    title: 'Your test data is being generated',
    text: 'This usually takes less than a minute. The page updates by itself.',
  },
  {
    when: ({ called }) => !called,
    title: 'Call your sandbox',
    text: 'Everything is ready. The commands already contain your own values, and each call appears here a second or two after its response.',
    action: { page: 'requests', label: 'Make your first call' },
  },
  {
    when: () => true,
    title: 'Submit for production review',
    text: 'When your back end syncs, acknowledges deletions and shows the credit, submit the profile for review.',
    action: { page: 'production', label: 'Go to the checklist' },
  },
];

/** The rules of each status. The first rule that applies gives the next step, and the last one always applies. */
const rules: Readonly<Record<string, readonly Rule[]>> = { sandbox, submitted, rejected, approved, active, suspended, retired };

/** Answers "what do I do next?" for an integration. */
export function nextStep(facts: ProgressFacts): NextStep {
  const rule = (rules[facts.status] ?? sandbox).find(({ when }) => when(facts));
  if (!rule) throw new Error(`No next step for the status ${facts.status}`);
  const { when: _, ...step } = rule;
  return step;
}
