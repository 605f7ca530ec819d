import { CopyButton } from './CopyButton.tsx';
import classes from './Identifier.module.css';

/** The end of an identifier tells it apart from others that begin alike. */
const endLength = 6;
const shortest = 14;

type IdentifierProps = {
  value: string;
  /** What it is, as in "the client ID". Without it, the button that copies it is named after the value. */
  label?: string;
  /** Whether there is a button that copies it: not within a link, nor where the row's menu has one. */
  copy?: boolean;
};

/**
 * An identifier in one line. If there is little room it is cut in the middle, by its width alone. It is whole for screen readers, for a
 * search on the page, when it is selected and when it is copied.
 */
export function Identifier({ value, label = value, copy = true }: IdentifierProps) {
  const cut = value.length < shortest ? value.length : value.length - endLength;
  return (
    <span className={classes.root}>
      <code className={classes.code} data-end={value.slice(cut)} title={value}>
        <span className={classes.start}>
          {value.slice(0, cut)}
          {/* Takes no room: what is visible of it is generated, so that it can stand behind the cut. */}
          <span className={classes.end}>{value.slice(cut)}</span>
        </span>
      </code>
      {copy && <CopyButton value={value} label={label} />}
    </span>
  );
}
