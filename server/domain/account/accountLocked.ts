import { DomainError } from '../shared/DomainError.ts';
import type { SupportContact } from '../shared/supportContact.ts';

/** What is shown to someone who has proved to be the owner of a locked account. Nobody else learns that it is locked. */
export function accountLocked({ text }: SupportContact): DomainError {
  return new DomainError('forbidden', {
    detail: `This account is locked, so signing in to it is refused. We emailed the reason to its address. To ask about it, contact ${text}.`,
  });
}
