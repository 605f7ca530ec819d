import type { ReactNode } from 'react';
import { CopyButton } from './CopyButton.tsx';
import classes from './CopyableCode.module.css';

type CopyableCodeProps = {
  value: string;
  label: string;
  block?: boolean;
  /** The value in its colours. */
  shown?: ReactNode;
};

/** An identifier, a name or a command in monospace, with a button that copies it exactly. */
export function CopyableCode({ value, label, block = false, shown = value }: CopyableCodeProps) {
  return (
    <div className={classes.root} data-block={block || undefined}>
      {block ? (
        <pre className={classes.code}>
          <code>{shown}</code>
        </pre>
      ) : (
        <code className={classes.code}>{value}</code>
      )}
      <CopyButton value={value} label={label} />
    </div>
  );
}
