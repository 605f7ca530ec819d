/** The reason that an administrator gives for a decision that concerns an owner. */
export const reasonField = {
  label: 'Reason',
  description: 'It is recorded in the audit trail, which the owner can read.',
  maxLength: 500,
  required: true,
} as const;
