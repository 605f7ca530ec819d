import { CopyButton } from '../../ui/values/CopyButton.tsx';
import classes from './CodePanel.module.css';
import { Pieces } from './Pieces.tsx';
import type { Piece } from './referenceTypes.ts';

/** Code in its colours, with a button that copies it. `label` says what it is. */
export function CodePanel({ pieces, label }: { pieces: readonly Piece[]; label: string }) {
  return (
    <div className={classes.sample}>
      <pre>
        <code>
          <Pieces pieces={pieces} />
        </code>
      </pre>
      <div className={classes.copy}>
        <CopyButton value={pieces.map(([, text]) => text).join('')} label={label} />
      </div>
    </div>
  );
}
