/**
 * The subject of a mail about a passkey: this one change of this account. A credential's ID alone would not be enough, because the client
 * chooses it. If it chose one that was mailed before, the owner would never learn of the next change.
 */
export function passkeySubject({ operatorId, passkeyId, now }: { operatorId: string; passkeyId: string; now: Date }): string {
  return `${operatorId} ${passkeyId} ${now.toISOString()}`;
}
