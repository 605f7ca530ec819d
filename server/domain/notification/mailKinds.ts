import type { Role } from '../shared/actor.ts';
import type { MailSubject } from './words/mailSubjects.ts';

/** What an operator may switch off. Everything else is always sent: it protects the account or a deadline. */
export const notificationTopics = [
  'reviews',
  'certificates',
  'quotas',
  'webhooks',
  'submissions',
  'answers',
  'businessModels',
  'suspensions',
  'overdueDeletions',
  'accountResets',
] as const;
export type NotificationTopic = (typeof notificationTopics)[number];

/** The topics of the service's staff, each with the role whose mail it is. */
export const staffTopics = {
  submissions: 'reviewer',
  answers: 'reviewer',
  businessModels: 'reviewer',
  suspensions: 'administrator',
  overdueDeletions: 'administrator',
  accountResets: 'administrator',
} as const satisfies Partial<Record<NotificationTopic, Role>>;
type StaffTopic = keyof typeof staffTopics;

/** The role whose mail a topic is; null where it is everybody's. */
export function roleOfTopic(topic: NotificationTopic): Role | null {
  return topic in staffTopics ? staffTopics[topic as StaffTopic] : null;
}

type KindRule = (
  | {
      /** The switch that turns it off. */
      readonly topic: NotificationTopic;
    }
  | {
      /** It is always sent. */
      readonly topic: null;
      /** What it is about, as the page and the guide tell people who look for its switch. */
      readonly about: MailSubject;
    }
) & {
  /** Why the mail was sent, as its foot says. */
  readonly because: string;
};

/** Every kind of mail. A kind with a topic is optional. */
export const mailKindRules = {
  registration: { topic: null, about: 'address', because: 'this address was entered on the registration page' },
  new_passkey: { topic: null, about: 'signIn', because: 'it concerns how you sign in' },
  passkey_removed: { topic: null, about: 'signIn', because: 'it concerns how you sign in' },
  recovery_used: { topic: null, about: 'signIn', because: 'it concerns how you sign in' },
  recovery_codes_made: { topic: null, about: 'signIn', because: 'it concerns how you sign in' },
  session_stolen: { topic: null, about: 'signIn', because: 'it concerns how you sign in' },
  email_change_current: { topic: null, about: 'address', because: 'a new address was entered for this account' },
  email_change_new: { topic: null, about: 'address', because: 'this address was entered as the new address of an account' },
  email_changed: { topic: null, about: 'address', because: 'this address is or was the address of the account' },
  account_deleted: { topic: null, about: 'account', because: 'this was the address of the account' },
  account_locked: { topic: null, about: 'account', because: 'it concerns whether you can sign in' },
  account_unlocked: { topic: null, about: 'account', because: 'it concerns whether you can sign in' },
  account_reset_requested: { topic: null, about: 'account', because: 'it concerns whether you can sign in' },
  account_reset_approved: { topic: null, about: 'account', because: 'it concerns whether you can sign in' },
  account_reset_cancelled: { topic: null, about: 'account', because: 'it concerns whether you can sign in' },
  account_reset_ready: { topic: null, about: 'account', because: 'it concerns whether you can sign in' },
  account_reset_used: { topic: null, about: 'account', because: 'it concerns whether you can sign in' },
  terms_published: { topic: null, about: 'terms', because: 'the terms bind every operator' },
  submission_approved: { topic: 'reviews', because: 'you own the integration' },
  submission_rejected: { topic: 'reviews', because: 'you own the integration' },
  review_question: { topic: 'reviews', because: 'you own the integration' },
  certificate_expiring: { topic: 'certificates', because: 'you own the integration' },
  certificate_end_restored: { topic: 'certificates', because: 'you own the integration' },
  p12_expired: { topic: 'certificates', because: 'you own the integration' },
  p12_blocked: { topic: null, about: 'keys', because: 'it concerns who holds a key of your integration' },
  certificate_renewal: {
    topic: null,
    about: 'keys',
    because: 'you own the integration and somebody with its certificate asked for another one',
  },
  certificates_revoked: { topic: null, about: 'access', because: 'you own the integration' },
  quota_reached: { topic: 'quotas', because: 'you own the integration' },
  webhook_failing: { topic: 'webhooks', because: 'you own the integration' },
  webhook_dead_letters: { topic: 'webhooks', because: 'you own the integration' },
  webhook_paused: { topic: null, about: 'access', because: 'you own the integration' },
  webhook_resumed: { topic: null, about: 'access', because: 'you own the integration' },
  deletion_warning: { topic: null, about: 'deletions', because: 'you own the integration and the deletion has a deadline' },
  integration_suspended: { topic: null, about: 'access', because: 'you own the integration' },
  integration_reactivated: { topic: null, about: 'access', because: 'you own the integration' },
  gate_moved: { topic: null, about: 'access', because: 'you own an integration that is approved for production' },
  role_granted: { topic: null, about: 'account', because: 'it concerns what you may do with your account' },
  role_withdrawn: { topic: null, about: 'account', because: 'it concerns what you may do with your account' },
  integration_retired: { topic: null, about: 'access', because: 'you own the integration and must delete its data' },
  submission_received: { topic: 'submissions', because: 'you are a reviewer' },
  question_answered: { topic: 'answers', because: 'you are a reviewer' },
  business_model_reported: { topic: 'businessModels', because: 'you are a reviewer' },
  suspension_made: { topic: 'suspensions', because: 'you are an administrator' },
  deletions_overdue: { topic: 'overdueDeletions', because: 'you are an administrator' },
  account_reset_waiting: { topic: 'accountResets', because: 'you are an administrator' },
} as const satisfies Readonly<Record<string, KindRule>>;

export type MailKind = keyof typeof mailKindRules;
export const mailKinds = Object.keys(mailKindRules) as MailKind[];

/** Mails with a one-time link. Others may be about a link that is over. */
export const linkKinds: ReadonlySet<MailKind> = new Set(['registration', 'email_change_current', 'email_change_new']);

/** Mails that are not shown in the portal as well: links work from the mailbox alone, and the rest goes to an address that is no account's any more. */
const mailedOnly: ReadonlySet<MailKind> = new Set([...linkKinds, 'email_changed', 'account_deleted']);

/** The kinds of mail that are news for somebody with these roles. What is for staff is shown as long as they are. */
export function newsKinds(roles: readonly Role[]): MailKind[] {
  return mailKinds.filter((kind) => {
    const { topic } = mailKindRules[kind];
    const role = topic === null ? null : roleOfTopic(topic);
    return !mailedOnly.has(kind) && (role === null || roles.includes(role));
  });
}

type OfEveryKind<Details extends Record<MailKind, object>> = Details;

/** The facts that a mail carries: words and numbers that are neither secret nor an address. Times are ISO 8601. */
export type MailDetails = OfEveryKind<{
  registration: Record<string, never>;
  new_passkey: { readonly passkeyName?: string };
  passkey_removed: { readonly passkeyName: string };
  recovery_used: { readonly codesLeft?: number };
  recovery_codes_made: Record<string, never>;
  session_stolen: Record<string, never>;
  email_change_current: Record<string, never>;
  email_change_new: Record<string, never>;
  email_changed: Record<string, never>;
  /** With a reason if the service has closed it. */
  account_deleted: { readonly reason?: string };
  account_locked: { readonly reason: string };
  account_unlocked: { readonly reason: string };
  account_reset_requested: { readonly reason: string };
  account_reset_approved: { readonly reason: string; readonly dueAt: string };
  account_reset_cancelled: Record<string, never>;
  account_reset_ready: Record<string, never>;
  account_reset_used: Record<string, never>;
  terms_published: { readonly version: number; readonly title?: string };
  submission_approved: Record<string, never>;
  /** `unmet` counts the points of the checklist that are not met. */
  submission_rejected: { readonly unmet?: number };
  review_question: Record<string, never>;
  /** `left` is the time until then, in milliseconds. */
  certificate_expiring: { readonly environment: string; readonly commonName: string; readonly usableUntil: string; readonly left: number };
  certificate_end_restored: { readonly environment: string; readonly commonName: string; readonly usableUntil: string };
  p12_expired: { readonly environment: string; readonly commonName: string };
  p12_blocked: { readonly environment: string; readonly commonName: string };
  certificate_renewal: {
    readonly environment: string;
    readonly commonName: string;
    readonly certificateId: string;
    readonly renewedSerial: string;
  };
  /** For revocations by an administrator, and for those of an authority. `serial` is that of a single certificate, if it has one yet. */
  certificates_revoked: {
    readonly environment: string;
    readonly commonName: string;
    readonly certificates: number;
    /**
     * One that was chosen, with those that were renewed from it if its key may be compromised, or all that the client could call with,
     * or those of an authority that is trusted no longer.
     */
    readonly which: 'one' | 'all' | 'authority';
    readonly serial?: string;
    readonly reason: string;
  };
  quota_reached: {
    readonly environment: string;
    readonly quota: string;
    readonly percent: number;
    readonly limit: number;
    readonly resetsAt: string;
  };
  /** `host` is the endpoint's, since its path may contain a secret; `hours` is how long every attempt has failed. */
  webhook_failing: { readonly environment: string; readonly host: string; readonly since: string; readonly hours: number };
  /** `more`: 1 where more wait than were counted. */
  webhook_dead_letters: { readonly environment: string; readonly letters: number; readonly more: number; readonly hosts: string };
  /** Only for pauses by an administrator, as the resumption of one. */
  webhook_paused: { readonly environment: string; readonly host: string; readonly reason: string };
  webhook_resumed: { readonly environment: string; readonly host: string; readonly reason: string };
  /** `deletions` counts those outstanding at that moment; the deadline is the earliest of theirs. `recordOnly`: 1 where the API takes no acknowledgement. */
  deletion_warning: {
    readonly deletions?: number;
    readonly revocationId?: string;
    readonly deadline: string;
    readonly recordOnly?: number;
  };
  /** `outstanding` counts what is still to be deleted, where a missed deletion was the cause. */
  integration_suspended: { readonly reason: string; readonly outstanding?: number };
  /** `inPlaceOfOwner`: 1 where an administrator has activated what its owner never had. */
  integration_reactivated: { readonly reason?: string; readonly inPlaceOfOwner?: number };
  /** `open` and `otherOpen` are 1 or 0: how this gate stands, and the other one of the two. */
  gate_moved: {
    readonly gate: 'service' | 'integration';
    readonly open: number;
    readonly otherOpen: number;
    readonly reason: string;
  };
  /** No `reason` if none was given. */
  role_granted: { readonly role: string; readonly reason?: string };
  role_withdrawn: { readonly role: string; readonly reason?: string };
  /** Only for a retirement by an administrator: owners who retire their own integration know about it. */
  integration_retired: { readonly reason: string; readonly deletions?: number };
  /** `round` is the submission's number: mails keep this name, so that workers of the release before can write them too. */
  submission_received: { readonly submissionId: string; readonly round: number };
  question_answered: { readonly submissionId: string };
  business_model_reported: Record<string, never>;
  suspension_made: { readonly reason: string };
  /** `suspended`: 1 where the integration was active and has now been suspended. */
  deletions_overdue: { readonly deletions: number; readonly suspended: number };
  /** Whose account. */
  account_reset_waiting: { readonly operatorId: string; readonly reason: string };
}>;

/** The kinds of mail that go to the service's staff. */
export type StaffMailKind = {
  [Kind in MailKind]: (typeof mailKindRules)[Kind]['topic'] extends StaffTopic ? Kind : never;
}[MailKind];
