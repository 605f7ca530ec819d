import { Link, useLocation } from 'react-router';
import { paths } from '../paths.ts';

type MainLinkProps = { to: string; className?: string | undefined; children: string };

/** A main link, which is the current one on every page below it. The pages of problems belong to the documentation. */
export function MainLink({ to, className, children }: MainLinkProps) {
  const { pathname } = useLocation();
  const roots = to === paths.docs ? [to, paths.problems] : [to];
  const current = roots.some((root) => `${pathname}/`.startsWith(`${root}/`));
  return (
    <Link to={to} className={className} aria-current={current ? 'page' : undefined}>
      {children}
    </Link>
  );
}
