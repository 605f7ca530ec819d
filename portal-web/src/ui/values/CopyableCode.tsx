import type { ReactNode } from 'react';
import { CopyButton } from './CopyButton.tsx';
import classes from './CopyableCode.module.css';

type CopyableCodeProps = {
  value: string;
  label: string;
  block?: boolean;
  /** Whether a block is one long line rather than commands, so that it is read in several. */
  wraps?: boolean;
  /** The value in its colours. */
  shown?: ReactNode;
};

/** An identifier, a name or a command in monospace, with a button that copies it exactly. */
export function CopyableCode({ value, label, block = false, wraps = false, shown = value }: CopyableCodeProps) {
  return (
    <div className={classes.root} data-block={block || undefined}>
      {block ? (
        <pre className={classes.code} data-wraps={wraps || undefined} {...(!wraps && { tabIndex: 0, role: 'group', 'aria-label': label })}>
          <code>{shown}</code>
        </pre>
      ) : (
        <code className={classes.code}>{value}</code>
      )}
      <CopyButton value={value} label={label} />
    </div>
  );
}
