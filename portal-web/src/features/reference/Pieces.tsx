import classes from './Pieces.module.css';
import type { Piece } from './referenceTypes.ts';

/** Code in its colours. */
export function Pieces({ pieces }: { pieces: readonly Piece[] }) {
  return pieces.map(([kind, text], at) => (
    // The pieces of a text never change their places.
    // oxlint-disable-next-line react/no-array-index-key
    <span key={at} className={kind === '' ? undefined : classes[kind]}>
      {text}
    </span>
  ));
}
