import type { mailKindRules, MailKind, NotificationTopic, staffTopics } from './mailKinds.ts';

type KindsOf<Topic extends NotificationTopic> = {
  [Kind in MailKind]: (typeof mailKindRules)[Kind]['topic'] extends Topic ? Kind : never;
}[MailKind];
type TopicWords<Topic extends NotificationTopic> = {
  readonly label: string;
  /** When each kind of mail of the topic is sent, as a sentence. */
  readonly when: Readonly<Record<KindsOf<Topic>, string>>;
} & (Topic extends keyof typeof staffTopics ? { readonly role: (typeof staffTopics)[Topic] } : { readonly role?: never });

/** The switches for optional emails, in the order in which the page shows them. */
export const topicWords: { readonly [Topic in NotificationTopic]: TopicWords<Topic> } = {
  reviews: {
    label: 'Reviews',
    when: {
      submission_approved: 'When a submission of yours is approved.',
      submission_rejected: 'When it is rejected.',
      review_question: 'When reviewers have a question.',
    },
  },
  certificates: {
    label: 'Certificates',
    when: {
      certificate_expiring: '30, 14, 7 and 1 days before a certificate stops working.',
      certificate_end_restored: 'When an older certificate works longer again.',
      p12_expired: 'When a P12 package was not claimed.',
    },
  },
  quotas: { label: 'Quotas', when: { quota_reached: 'When 80% and 100% of an hourly quota are used.' } },
  webhooks: {
    label: 'Webhooks',
    when: {
      webhook_failing: 'When every attempt at an endpoint has failed for 1 hour, 1 day and 5 days.',
      webhook_dead_letters: 'When events were not delivered and can be replayed.',
    },
  },
  submissions: {
    label: 'Submissions',
    role: 'reviewer',
    when: { submission_received: 'When an integration of another operator is submitted for review.' },
  },
  answers: {
    label: 'Answers',
    role: 'reviewer',
    when: { question_answered: 'When an owner answers a question about a submission that is yours or unassigned.' },
  },
  businessModels: {
    label: 'Business models',
    role: 'reviewer',
    when: { business_model_reported: 'When an owner reports a change of business model.' },
  },
  suspensions: {
    label: 'Suspensions',
    role: 'administrator',
    when: { suspension_made: 'When another administrator suspends an integration.' },
  },
  overdueDeletions: {
    label: 'Overdue deletions',
    role: 'administrator',
    when: {
      deletions_overdue:
        'When deletions of production data were not acknowledged within 7 days, and whether the integration was suspended for it.',
    },
  },
  accountResets: {
    label: 'Resets of accounts',
    role: 'administrator',
    when: { account_reset_waiting: 'When another administrator asks to reset an account, which a second one has to approve.' },
  },
};
