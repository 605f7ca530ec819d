import { Link } from 'react-router';
import { paths } from '../../paths.ts';
import classes from './docs.module.css';
import { guides } from './guides.ts';

/** The guides before and after this one. */
export function GuideSteps({ name }: { name: string }) {
  const at = guides.findIndex((guide) => guide.name === name);
  const [before, after] = [guides[at - 1], guides[at + 1]];
  return (
    <nav aria-label="Previous and next guide" className={classes.steps}>
      {before && (
        <Link to={paths.guide(before.name)} rel="prev">
          <span>Previous</span>
          {before.title}
        </Link>
      )}
      {after && (
        <Link to={paths.guide(after.name)} rel="next" data-next>
          <span>Next</span>
          {after.title}
        </Link>
      )}
    </nav>
  );
}
