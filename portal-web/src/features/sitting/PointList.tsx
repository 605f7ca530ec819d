import { IconChevronDown, IconChevronRight } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { StatusBadge } from '../../ui/values/StatusBadge.tsx';
import { pointButtonOf } from './PointForm.tsx';
import classes from './sitting.module.css';
import type { Point } from './useSitting.ts';

type PointListProps = {
  points: readonly Point[];
  open: Point['item'] | null;
  onOpen: (item: Point['item'] | null) => void;
  /** What has been decided about a point so far. */
  metOf: (point: Point) => boolean | null;
  children: (point: Point) => ReactNode;
};

/** The points of a review, one of them open. */
export function PointList({ points, open, onOpen, metOf, children }: PointListProps) {
  return (
    <ol className={classes.points} aria-label="Points">
      {points.map((point) => {
        const isOpen = point.item === open;
        const Chevron = isOpen ? IconChevronDown : IconChevronRight;
        return (
          <li key={point.item} aria-label={point.title} data-open={isOpen || undefined}>
            <h3>
              <button
                type="button"
                id={pointButtonOf(point.item)}
                className={classes.point}
                aria-expanded={isOpen}
                onClick={() => onOpen(isOpen ? null : point.item)}
              >
                <Chevron size={16} aria-hidden />
                <span className={classes.title}>{point.title}</span>
                <PointBadge met={metOf(point)} />
              </button>
            </h3>
            {isOpen && <div className={classes.body}>{children(point)}</div>}
          </li>
        );
      })}
    </ol>
  );
}

function PointBadge({ met }: { met: boolean | null }) {
  if (met === null) return <StatusBadge tone="neutral">Open</StatusBadge>;
  return met ? <StatusBadge tone="good">Met</StatusBadge> : <StatusBadge tone="bad">Not met</StatusBadge>;
}
