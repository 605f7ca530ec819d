import { useEffect, useState } from 'react';
import { useMutation } from 'urql';
import { background } from '../../../graphql/client.ts';
import { noteReviewVisitMutation } from '../../../features/review/reviewMutations.ts';
import type { SubmissionInReview } from '../../../features/review/reviewQueries.ts';

export type ReviewedLink = SubmissionInReview['followedLinks'][number];

/** The service believes for two minutes that a reviewer still has the page open. */
const every = 45_000;

/**
 * Tells colleagues that the reader has this submission open, as long as the page is visible, and remembers the links that the reader
 * follows. Returns these links.
 */
export function useVisit({ id: submissionId, followedLinks }: SubmissionInReview, isOpen: boolean) {
  const [, note] = useMutation(noteReviewVisitMutation);
  const [followed, setFollowed] = useState<readonly ReviewedLink[]>([]);
  useEffect(() => {
    if (!isOpen) return;
    const say = () => {
      // Not noted, colleagues do not see it, and nothing else is lost.
      if (document.visibilityState === 'visible') void note({ input: { submissionId } }, background);
    };
    say();
    const timer = setInterval(say, every);
    return () => clearInterval(timer);
  }, [submissionId, isOpen, note]);
  return {
    followed: [...followedLinks, ...followed] as readonly ReviewedLink[],
    follow(link: ReviewedLink) {
      setFollowed([...followed, link]);
      if (isOpen) void note({ input: { submissionId, link } });
    },
  };
}

export type Visit = ReturnType<typeof useVisit>;
