import { Skeleton } from '@mantine/core';
import type { ReactNode } from 'react';
import { useLocation } from 'react-router';
import classes from './PageLoading.module.css';
import { pageShape, type PageShape } from './pageShape.ts';

type PageLoadingProps = {
  /** Whether its title and its tabs are still to come, too. */
  whole?: boolean;
  /** What is read, where it is only a part of the page. */
  shape?: PageShape | undefined;
};

/**
 * A placeholder while a page is read, of the page's shape, seen only if that takes a moment. It is as tall as the window, so that what follows
 * does not move while it is in view.
 */
export function PageLoading({ whole = false, shape }: PageLoadingProps) {
  const page = pageShape(useLocation().pathname);
  const shown = shape ?? page.shape;
  return (
    <div role="status" aria-label="Loading" className={classes.loading} data-shape={shown} data-page-loading>
      {whole && (
        <div className={classes.head}>
          <div className={classes.title}>
            <Skeleton height={20} width="14rem" maw="70%" />
          </div>
          {page.isTab && <div className={classes.tabs}>{times(8, <Skeleton height={12} width="4.5rem" />)}</div>}
        </div>
      )}
      <div className={classes.body}>{bodies[shown]()}</div>
    </div>
  );
}

function times(count: number, child: ReactNode): ReactNode[] {
  // eslint-disable-next-line react/no-array-index-key
  return Array.from({ length: count }, (_, at) => <div key={at}>{child}</div>);
}

const Lines = ({ count }: { count: number }) => <div className={classes.lines}>{times(count, <Skeleton height={12} />)}</div>;

const Rows = () => (
  <>
    <Skeleton height={30} width="50%" />
    <div className={classes.rows}>{times(10, <Skeleton height={12} width="85%" />)}</div>
  </>
);

const Fields = () => (
  <div className={classes.fields}>
    {times(
      4,
      <>
        <Skeleton height={12} width="8rem" mb={6} />
        <Skeleton height={36} />
      </>,
    )}
    <Skeleton height={36} width="9rem" />
  </div>
);

const bodies: Readonly<Record<PageShape, () => ReactNode>> = {
  table: () => <Rows />,
  panels: () =>
    times(
      3,
      <div className={classes.panel}>
        <Lines count={4} />
      </div>,
    ),
  columns: () => (
    <div className={classes.columns}>
      <div className={classes.lines}>
        <Skeleton height={120} />
        <Lines count={4} />
      </div>
      <Lines count={6} />
    </div>
  ),
  form: () => <Fields />,
  task: () => <Fields />,
  reading: () => <Lines count={12} />,
  text: () => <Lines count={12} />,
};
