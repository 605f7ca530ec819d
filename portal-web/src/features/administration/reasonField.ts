/** The reason that an administrator gives for a decision about an integration. */
export const reasonField = {
  label: 'Reason',
  description: 'It is recorded in the audit trail, which the owner can read.',
  maxLength: 500,
  required: true,
} as const;
