import { useEffect, useState } from 'react';
import { Link } from 'react-router';
import { Fold } from '../../ui/layout/Fold.tsx';
import type { Heading } from '../markdown/parseMarkdown.ts';
import classes from './OnThisPage.module.css';

/** The parts of the open page: beside it, or folded above it where there is no room. The one that is being read is marked. */
export function OnThisPage({ headings }: { headings: readonly Heading[] }) {
  const current = useAnchorInView(headings.map(({ anchor }) => anchor).join(' '));
  if (headings.length < 2) return null;
  const list = (
    <ul>
      {headings.map(({ anchor, text, level }) => (
        <li key={anchor} data-level={level}>
          <Link to={`#${anchor}`} aria-current={anchor === current ? 'location' : undefined}>
            {text}
          </Link>
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

/** How far below the top of the window a heading may stand for its part to be the one that is read: a little more than where a link puts it. */
const line = 120;

/** Which part is being read: the last one that has begun, or of those that end the page together, the one that was asked for. */
function useAnchorInView(anchors: string): string | null {
  const [current, setCurrent] = useState<string | null>(null);
  useEffect(() => {
    const find = () => setCurrent(anchorInView(anchors.split(' ')));
    // The page grows while its guide and its tables come.
    const growth = new ResizeObserver(find);
    growth.observe(document.body);
    window.addEventListener('scroll', find, { passive: true });
    return () => {
      growth.disconnect();
      window.removeEventListener('scroll', find);
    };
  }, [anchors]);
  return current;
}

function anchorInView(anchors: readonly string[]): string | null {
  const topOf = (anchor: string) => document.getElementById(anchor)?.getBoundingClientRect().top ?? Number.POSITIVE_INFINITY;
  const begun = anchors.filter((anchor) => topOf(anchor) <= line);
  const { scrollHeight } = document.documentElement;
  const atEnd = window.scrollY > 0 && window.scrollY + window.innerHeight >= scrollHeight - 1;
  if (!atEnd) return begun.at(-1) ?? null;
  const asked = anchors.find((anchor) => anchor === decodeURIComponent(window.location.hash.slice(1)));
  return asked && topOf(asked) > 0 ? asked : (anchors.findLast((anchor) => topOf(anchor) < window.innerHeight) ?? null);
}
