/** What a service token may be allowed, each with the operations that it opens. A token is given the few that its program needs. */
export const servicePermissions = {
  'resources.write': 'Feed and withdraw orders and stock vehicles: upsertTrackedResources, withdrawTrackedResources.',
  'shares.write':
    'Make and change what users share: createLinkCode, cancelLinkCode, extendShare, narrowShare, revokeShare, setStatisticsParticipation.',
  'shares.read': 'List what a user shares: shares.',
  'users.erase': 'End everything that a user shares and forget the user: eraseUser.',
  'statistics.publish': 'Publish aggregate generations: publishStatisticsGeneration.',
  'catalogue.read': 'List the integrations that users can link: catalogue.',
} as const;

export type ServicePermission = keyof typeof servicePermissions;

export const allServicePermissions = Object.keys(servicePermissions) as readonly ServicePermission[];

/** Whether the text is one of the permissions. */
export function isServicePermission(text: string): text is ServicePermission {
  return Object.hasOwn(servicePermissions, text);
}
