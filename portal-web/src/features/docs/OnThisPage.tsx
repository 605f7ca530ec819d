import { Link } from 'react-router';
import { Fold } from '../../ui/layout/Fold.tsx';
import type { Heading } from '../markdown/parseMarkdown.ts';
import classes from './OnThisPage.module.css';

/** The parts of the open page: beside it, or folded above it where there is no room. */
export function OnThisPage({ headings }: { headings: readonly Heading[] }) {
  if (headings.length < 2) return null;
  const list = (
    <ul>
      {headings.map(({ anchor, text, level }) => (
        <li key={anchor} data-level={level}>
          <Link to={`#${anchor}`}>{text}</Link>
        </li>
      ))}
    </ul>
  );
  return (
    <>
      <nav aria-label="On this page" className={classes.beside}>
        <p className={classes.title}>On this page</p>
        {list}
      </nav>
      <nav aria-label="On this page" className={classes.above}>
        <Fold summary="On this page">{list}</Fold>
      </nav>
    </>
  );
}
