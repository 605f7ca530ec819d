import type { KeptCheck } from '../KeptCheck.ts';
import type { ReviewItem } from '../reviewChecklist.ts';

export const checkLevels = ['required', 'warning', 'suggestion'] as const;
export type CheckLevel = (typeof checkLevels)[number];
export const checkOutcomes = ['passed', 'failed', 'unknown'] as const;
export type CheckOutcome = (typeof checkOutcomes)[number];

type CheckRow = {
  readonly title: string;
  /** Only what is required can keep an integration from being submitted. */
  readonly level: CheckLevel;
  /** The item of the checklist beside which reviewers see it. */
  readonly checklistItem: ReviewItem | null;
};

/** What the service checks before a person reads (docs/specification.md, “Checks by the service”), in the order in which it is shown. */
export const submissionChecks = {
  terms: { title: 'Current terms are accepted', level: 'required', checklistItem: null },
  logo: { title: 'Logo is uploaded', level: 'required', checklistItem: null },
  website: { title: 'Website answers', level: 'required', checklistItem: null },
  reviewAddress: { title: 'Review address answers', level: 'required', checklistItem: null },
  linkingPage: { title: 'Linking page answers', level: 'required', checklistItem: 'linkingPage' },
  privacyPolicy: { title: 'Privacy policy answers', level: 'required', checklistItem: 'privacy' },
  termsOfService: { title: 'Terms of service answer', level: 'required', checklistItem: 'terms' },
  footerBadge: { title: 'Footer badge is on the page', level: 'warning', checklistItem: 'footerBadge' },
  codeField: { title: 'Linking page takes the code as text', level: 'warning', checklistItem: 'linkingPage' },
  privacyPolicyLinked: { title: 'Linking page links to the privacy policy', level: 'warning', checklistItem: 'privacy' },
  termsOfServiceLinked: { title: 'Linking page links to the terms of service', level: 'warning', checklistItem: 'terms' },
  deletion: { title: 'Deletion was acknowledged in time', level: 'warning', checklistItem: 'deletion' },
  supportLinked: { title: 'Linking page links to the support email', level: 'suggestion', checklistItem: 'support' },
  donationPage: { title: 'Support or donation page answers', level: 'suggestion', checklistItem: 'noMonetization' },
  evidence: { title: 'Sandbox evidence is complete', level: 'suggestion', checklistItem: null },
} as const satisfies Readonly<Record<string, CheckRow>>;

export type SubmissionCheckName = keyof typeof submissionChecks;
export const submissionCheckNames = Object.keys(submissionChecks) as readonly SubmissionCheckName[];

/** What one check found. */
export type Finding = {
  readonly outcome: CheckOutcome;
  /** What was found and what to do about it, in words. */
  readonly found: string;
};

/** One check of one submission, or of what would be submitted. */
export type SubmissionCheck = CheckRow &
  Finding & {
    readonly check: SubmissionCheckName;
    /** When it was found; null if it has not been checked yet. */
    readonly checkedAt: Date | null;
    /** Whether it is being checked again at this moment. */
    readonly checking: boolean;
  };

/** What is kept of the checks with a decision. */
export function kept(checks: readonly SubmissionCheck[]): KeptCheck[] {
  return checks.map(({ check, title, level, checklistItem, outcome, found, checkedAt }) => ({
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
