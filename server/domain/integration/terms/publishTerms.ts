import type { EntityManager } from '@mikro-orm/postgresql';
import { record } from '../../audit/record.ts';
import type { OperatorActor } from '../../shared/actor.ts';
import { DomainError, refuseInvalid } from '../../shared/DomainError.ts';
import { enqueue } from '../../shared/jobs.ts';
import { limits } from '../../shared/limits.ts';
import { flawOf, isBlank } from '../../shared/text/writtenText.ts';
import { currentTerms } from './acceptTerms.ts';
import { lockTerms } from './lockTerms.ts';
import { TermsVersion } from './TermsVersion.ts';

type PublishTermsInput = {
  readonly title: string;
  readonly markdown: string;
  /**
   * The version that was current when the new one was written; if another one is current by now, that is a conflict, so that nobody
   * publishes twice or over somebody else's version.
   */
  readonly replaces: number;
};

const longestTitle = 120;

/**
 * Publishes the next version of the Integration Terms, which is current at once. What calls `refuseUnlessTermsAccepted` then has to wait until
 * the operator accepts it; active integrations keep running. Every operator is told by mail. Errors: invalid_request by field, conflict.
 */
export function publishTerms(
  em: EntityManager,
  { actor, input, now }: { actor: OperatorActor; input: PublishTermsInput; now: Date },
): Promise<TermsVersion> {
  const [title, markdown] = [input.title.trim(), input.markdown.replaceAll('\r\n', '\n').trim()];
  refuseInvalid([...titleErrors(title), ...markdownErrors(markdown)]);
  return em.transactional(async (tx) => {
    await lockTerms(tx, 'exclusive');
    const current = await currentTerms(tx);
    if (current.version !== input.replaces) {
      throw new DomainError('conflict', {
        detail: `Version ${current.version} is now current. Read it before you publish another one.`,
      });
    }
    if (current.markdown.trim() === markdown && current.title === title) {
      refuseInvalid([{ path: 'input.markdown', message: `This is the text of version ${current.version}, unchanged.` }]);
    }
    const version = current.version + 1;
    const terms = tx.create(TermsVersion, { version, title, markdown, publishedAt: now, publishedBy: actor.operatorId });
    await tx.persist(terms).flush();
    await record(tx, actor, now, { action: 'terms.published', subject: { type: 'terms', id: String(version) } });
    await enqueue(tx, 'announceTerms', { version, after: null });
    return terms;
  });
}

function titleErrors(title: string) {
  const length = [...title].length;
  if (isBlank(title) || length > longestTitle)
    return [{ path: 'input.title', message: `A title must have 1 to ${longestTitle} characters.` }];
  const flaw = flawOf(title, { lines: false });
  return flaw === null ? [] : [{ path: 'input.title', message: `The title ${flaw}.` }];
}

function markdownErrors(markdown: string) {
  const length = [...markdown].length;
  if (isBlank(markdown)) return [{ path: 'input.markdown', message: 'The terms have no text yet.' }];
  if (length > limits.termsCharacters) {
    return [{ path: 'input.markdown', message: `The text has ${length} characters; at most ${limits.termsCharacters} are allowed.` }];
  }
  return markdown.includes('\0') ? [{ path: 'input.markdown', message: 'The text contains control characters.' }] : [];
}
