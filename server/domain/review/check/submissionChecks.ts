import type { KeptCheck } from '../KeptCheck.ts';
import type { ReviewItem } from '../reviewChecklist.ts';

export const checkLevels = ['required', 'warning', 'suggestion'] as const;
export type CheckLevel = (typeof checkLevels)[number];
export const checkOutcomes = ['passed', 'failed', 'unknown'] as const;
export type CheckOutcome = (typeof checkOutcomes)[number];

type CheckRow = {
  /** What is checked, which is no claim about what was found: it stands above failures, too. */
  readonly title: string;
  /** Only what is required can keep an integration from being submitted. */
  readonly level: CheckLevel;
  /** The item of the checklist beside which reviewers see it. */
  readonly checklistItem: ReviewItem | null;
};

/** What the service checks before a person reads (docs/specification.md, “Checks by the service”), in the order in which it is shown. */
export const submissionChecks = {
  terms: { title: 'Acceptance of the current terms', level: 'required', checklistItem: null },
  logo: { title: 'Logo upload', level: 'required', checklistItem: null },
  website: { title: 'Answer of the website', level: 'required', checklistItem: null },
  reviewAddress: { title: 'Answer of the review address', level: 'required', checklistItem: null },
  linkingPage: { title: 'Answer of the linking page', level: 'required', checklistItem: 'linkingPage' },
  privacyPolicy: { title: 'Answer of the privacy policy', level: 'required', checklistItem: 'privacy' },
  termsOfService: { title: 'Answer of the terms of service', level: 'required', checklistItem: 'terms' },
  footerBadge: { title: 'Footer badge on the page', level: 'warning', checklistItem: 'footerBadge' },
  codeField: { title: 'Code as text on the linking page', level: 'warning', checklistItem: 'linkingPage' },
  privacyPolicyLinked: { title: 'Link to the privacy policy', level: 'warning', checklistItem: 'privacy' },
  termsOfServiceLinked: { title: 'Link to the terms of service', level: 'warning', checklistItem: 'terms' },
  deletion: { title: 'Deletion within the deadline', level: 'warning', checklistItem: 'deletion' },
  supportLinked: { title: 'Link to the support email', level: 'suggestion', checklistItem: 'support' },
  donationPage: { title: 'Answer of the support or donation page', level: 'suggestion', checklistItem: 'noMonetization' },
  evidence: { title: 'Sandbox evidence', level: 'suggestion', checklistItem: null },
} as const satisfies Readonly<Record<string, CheckRow>>;

export type SubmissionCheckName = keyof typeof submissionChecks;
export const submissionCheckNames = Object.keys(submissionChecks) as readonly SubmissionCheckName[];

/** What one check found. */
export type Finding = {
  readonly outcome: CheckOutcome;
  /** What was found and what to do about it, in words for the owner. */
  readonly found: string;
  /** The same for reviewers, where those words ask the owner for something. */
  readonly forReviewers?: string;
};

/** What was found with what the owner can do about it, which reviewers do not read. */
export const withAdvice = (found: string, advice: string) => ({ found: `${found} ${advice}`, forReviewers: found });

/** The checks as reviewers read them. */
export const asReviewersRead = (checks: readonly SubmissionCheck[]): SubmissionCheck[] =>
  checks.map((check) => ({ ...check, found: check.forReviewers ?? check.found }));

/** One check of one submission, or of what would be submitted. */
export type SubmissionCheck = CheckRow &
  Finding & {
    readonly check: SubmissionCheckName;
    /** When it was found; null if it has not been checked yet. */
    readonly checkedAt: Date | null;
    /** Whether it is being checked again at this moment. */
    readonly checking: boolean;
  };

/** What is kept of the checks with a decision, in the words that the reviewer read. */
export function kept(checks: readonly SubmissionCheck[]): KeptCheck[] {
  return asReviewersRead(checks).map(({ check, title, level, checklistItem, outcome, found, checkedAt }) => ({
    check,
    title,
    level,
    checklistItem,
    outcome,
    found,
    checkedAt: checkedAt?.toISOString() ?? null,
  }));
}

/** What was kept, to be read as other checks are. */
export function asKept(checks: readonly KeptCheck[]): SubmissionCheck[] {
  return submissionCheckNames.flatMap((name) =>
    checks
      .filter(({ check }) => check === name)
      .map((check) => ({ ...check, check: name, checkedAt: check.checkedAt === null ? null : new Date(check.checkedAt), checking: false })),
  );
}

/** The checks that keep an integration from being submitted. What could not be checked never does. */
export function blocking(checks: readonly SubmissionCheck[]): SubmissionCheck[] {
  return checks.filter(({ level, outcome }) => level === 'required' && outcome === 'failed');
}
