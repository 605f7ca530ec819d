type SubjectFacts = {
  /** As in “We always email you about your address.” */
  readonly words: string;
  /** Whether people are mailed about what they did themselves as well, because it may have been somebody else. */
  readonly tellsOwnActs: boolean;
};

/** What mails without a switch are about (docs/specification.md, “Emails”), in the order in which people are told. */
export const mailSubjects = {
  signIn: { words: 'how you sign in', tellsOwnActs: true },
  address: { words: 'your address', tellsOwnActs: true },
  account: { words: 'your account and its roles', tellsOwnActs: true },
  terms: { words: 'new terms', tellsOwnActs: false },
  keys: { words: 'keys of yours that somebody else may have', tellsOwnActs: false },
  deletions: { words: 'deletion deadlines', tellsOwnActs: false },
  /** Not what reviewers decide, which has a switch. */
  access: { words: 'what stops your integrations or starts them again', tellsOwnActs: false },
} as const satisfies Readonly<Record<string, SubjectFacts>>;

export type MailSubject = keyof typeof mailSubjects;

const listed = new Intl.ListFormat('en', { type: 'conjunction' });

/** What everybody is always mailed about, as one sentence. */
export const alwaysMailed = `We always email you about ${listed.format(Object.values(mailSubjects).map(({ words }) => words))}.`;
