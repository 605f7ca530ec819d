/** How many resources are listed. The revoked ones are in the list as they are in a sync, but no longer in what the sandbox contains. */
export function listedWords({ totalCount, revokedCount }: { totalCount: number; revokedCount: number }): string {
  const some = revokedCount > 0 && `${revokedCount.toLocaleString('en')} of them revoked`;
  const revoked = revokedCount === totalCount && totalCount > 0 ? 'revoked' : some;
  return [`${totalCount.toLocaleString('en')} in all`, revoked].filter(Boolean).join(', ');
}
