import { useShortcuts } from '../../../ui/keys/useShortcuts.ts';
import { noteFieldOf, pointButtonOf } from './PointForm.tsx';
import type { Point } from './useSitting.ts';

type ReviewKeys = {
  points: readonly Point[];
  open: Point['item'] | null;
  onOpen: (item: Point['item']) => void;
  /** Only while the reader may work on the submission. */
  onJudge: (item: Point['item'], met: boolean) => void;
  onApprove: () => void;
  onReject: () => void;
  mayWork: boolean;
};

export const questionField = 'review-question';

/** Keys of a submission's page: j and k between points, m and n for a verdict, q for a question, a and r for the decision. */
export function useReviewKeys({ points, open, onOpen, onJudge, onApprove, onReject, mayWork }: ReviewKeys): void {
  function step(by: 1 | -1) {
    const here = points.findIndex(({ item }) => item === open);
    const next = points[here === -1 ? 0 : here + by];
    if (!next) return;
    onOpen(next.item);
    focusPoint(next.item);
  }
  useShortcuts({
    j: { label: 'Next point', run: () => step(1) },
    k: { label: 'Previous point', run: () => step(-1) },
  });
  useShortcuts(
    {
      m: { label: 'The open point is met', run: () => open && onJudge(open, true) },
      n: {
        label: 'The open point is not met; say why',
        run: () => {
          if (!open) return;
          onJudge(open, false);
          focusSoon(noteFieldOf(open));
        },
      },
      q: { label: 'Ask the owner', run: () => focusSoon(questionField) },
      a: { label: 'Approve, with a confirmation', run: onApprove },
      r: { label: 'Reject, with a confirmation', run: onReject },
    },
    mayWork,
  );
}

/** Leads to the button of a point that is about to open. */
export function focusPoint(item: Point['item']): void {
  focusSoon(pointButtonOf(item));
}

/** The key must not end up in the field, and the point may only just have opened. */
function focusSoon(id: string): void {
  setTimeout(() => document.getElementById(id)?.focus());
}
