import { type ReactNode, useState } from 'react';
import { Link } from 'react-router';
import classes from './WithLink.module.css';

/** A part of a document with a link to it, whose address a click also copies: in the margin, or `inline` after it. The part itself has the anchor. */
export function WithLink({ id, label, inline, children }: { id: string; label: string; inline?: boolean; children?: ReactNode }) {
  const [copied, setCopied] = useState(false);

  async function copy() {
    try {
      await navigator.clipboard.writeText(`${location.origin}${location.pathname}#${id}`);
      setCopied(true);
    } catch {
      // The address is in the browser's own line.
    }
  }

  return (
    <div className={classes.root} data-inline={inline || undefined}>
      {children}
      <Link
        to={`#${id}`}
        className={classes.link}
        aria-label={`Link to “${label}”`}
        title={copied ? 'The link is copied' : 'Copy the link'}
        onClick={() => void copy()}
        onBlur={() => setCopied(false)}
      >
        #
      </Link>
      <span role="status" className={classes.said}>
        {copied ? 'The link is copied' : ''}
      </span>
    </div>
  );
}
