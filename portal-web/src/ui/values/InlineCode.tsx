import { CopyButton } from './CopyButton.tsx';
import classes from './InlineCode.module.css';

/** An identifier within a line of text, with a button that copies it. */
export function InlineCode({ value }: { value: string }) {
  return (
    <span className={classes.root}>
      <code>{value}</code>
      <CopyButton value={value} label={value} />
    </span>
  );
}
