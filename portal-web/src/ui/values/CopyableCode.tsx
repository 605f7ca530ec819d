import { CopyButton } from './CopyButton.tsx';
import classes from './CopyableCode.module.css';

/** An identifier, a name or a command in monospace, with a button that copies it exactly. */
export function CopyableCode({ value, label, block = false }: { value: string; label: string; block?: boolean }) {
  return (
    <div className={classes.root} data-block={block || undefined}>
      {block ? (
        <pre className={classes.code}>
          <code>{value}</code>
        </pre>
      ) : (
        <code className={classes.code}>{value}</code>
      )}
      <CopyButton value={value} label={label} />
    </div>
  );
}
