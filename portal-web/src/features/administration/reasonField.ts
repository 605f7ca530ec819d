/** The reason that an administrator gives for a decision that concerns an owner. */
export const reasonField = {
  label: 'Reason',
  description: 'It is recorded in the audit trail, which the owner can read.',
  longest: 500,
  required: true,
} as const;

/** The same, where the owner is told at once. */
export const mailedReasonField = {
  ...reasonField,
  description: 'We email it to the owner, and it is recorded in the audit trail.',
} as const;
