import { NavLink } from 'react-router';
import { paths } from '../../paths.ts';
import classes from './docs.module.css';
import { guides } from './guides.ts';

/** Links to all guides, shown beside the open one. */
export function GuideList() {
  return (
    <nav aria-label="Guides" className={classes.list}>
      {guides.map(({ name, title }) => (
        <NavLink key={name} to={paths.guide(name)}>
          {title}
        </NavLink>
      ))}
      <a href={paths.openApi}>API reference (OpenAPI)</a>
    </nav>
  );
}
