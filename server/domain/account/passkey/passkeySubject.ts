/**
 * What a mail about a passkey is about: this one change of this account. A credential's id alone would not do, because the client chooses
 * it: with one that was told of before, the owner would never learn of the next.
 */
export function passkeySubject({ operatorId, passkeyId, now }: { operatorId: string; passkeyId: string; now: Date }): string {
  return `${operatorId} ${passkeyId} ${now.toISOString()}`;
}
