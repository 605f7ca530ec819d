/**
 * The permissions that a service token can have, each with the operations that it opens. A token gets only those that its program needs.
 */
export const servicePermissions = {
  'resources.write': 'Add, update and withdraw orders and stock vehicles: upsertTrackedResources, withdrawTrackedResources.',
  'shares.write':
    'Create link codes, change what users share, and set who takes part in statistics: createLinkCode, cancelLinkCode, extendShare, narrowShare, revokeShare, setStatisticsParticipation.',
  'shares.read': 'List what a user shares: shares.',
  'users.erase': 'Revoke everything that a user shares, and erase the user: eraseUser.',
  'statistics.publish': 'Publish statistics generations: publishStatisticsGeneration.',
  'catalogue.read': 'List the integrations that users can link: catalogue.',
} as const;

export type ServicePermission = keyof typeof servicePermissions;

export const allServicePermissions = Object.keys(servicePermissions) as readonly ServicePermission[];

/** Whether the text is one of the permissions. */
export function isServicePermission(text: string): text is ServicePermission {
  return Object.hasOwn(servicePermissions, text);
}
