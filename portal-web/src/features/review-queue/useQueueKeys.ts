import { useEffect, useRef } from 'react';
import { useNavigate } from 'react-router';
import { useMutation } from 'urql';
import { paths } from '../../paths.ts';
import { useShortcuts } from '../../ui/keys/useShortcuts.ts';
import { takeSubmissionMutation } from '../review/reviewMutations.ts';

/**
 * Keys of the queue: j and k move from row to row. Where nobody has taken what is listed, Enter takes a submission and opens it, whereas a
 * click only opens it. Returns the ref of the element around the rows.
 */
export function useQueueKeys(areUntaken: boolean) {
  const rows = useRef<HTMLDivElement>(null);
  const [, take] = useMutation(takeSubmissionMutation);
  const navigate = useNavigate();

  function move(by: 1 | -1) {
    const links = [...(rows.current?.querySelectorAll<HTMLAnchorElement>('tbody th a') ?? [])];
    const here = links.findIndex((link) => link === document.activeElement);
    const next = here === -1 ? (by === 1 ? 0 : links.length - 1) : here + by;
    links[next]?.focus();
  }
  useShortcuts({
    j: { label: 'Next submission', run: () => move(1) },
    k: { label: 'Previous submission', run: () => move(-1) },
  });

  useEffect(() => {
    const list = rows.current;
    if (!areUntaken || !list) return;
    const takeAndOpen = async (submissionId: string) => {
      // If a colleague was quicker, the page says so.
      await take({ input: { submissionId, takeOver: false } });
      void navigate(paths.submission(submissionId));
    };
    const onKey = (event: KeyboardEvent) => {
      const link = event.key === 'Enter' && event.target instanceof HTMLAnchorElement ? event.target : null;
      const submissionId = link?.pathname.match(/^\/review\/(sub_\w+)$/)?.[1];
      if (!submissionId || event.ctrlKey || event.metaKey || event.shiftKey) return;
      event.preventDefault();
      void takeAndOpen(submissionId);
    };
    list.addEventListener('keydown', onKey);
    return () => list.removeEventListener('keydown', onKey);
  }, [areUntaken, take, navigate]);
  return rows;
}
