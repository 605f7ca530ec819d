import { useId } from 'react';
import classes from './WayChoice.module.css';

/** The ways to a certificate, in the order in which the page shows them, each with what it means for the private key. */
export const ways = {
  browser: {
    title: 'In this browser',
    short: 'Two clicks, no terminal.',
    key: 'This page makes the private key, and your browser saves it as a file on this computer. It is never sent to us.',
  },
  own: {
    title: 'Your own request (CSR)',
    short: 'With openssl or a security module.',
    key: 'You make the private key yourself, and it stays where you made it. You upload only the request.',
  },
  p12: {
    title: 'P12 package',
    short: 'Key and certificate in one file.',
    key: 'We make the private key, seal it so that only this page can open it, and hand it over once. After that we no longer have it.',
  },
  est: {
    title: 'By your back end (EST)',
    short: 'Renewal without a person.',
    key: 'Your back end makes each next private key, and asks for its certificate with the one in use.',
  },
} as const;

export type Way = keyof typeof ways;

type WayChoiceProps = { offered: readonly Way[]; value: Way; onChange: (way: Way) => void };

/** The ways side by side, of which one is chosen. */
export function WayChoice({ offered, value, onChange }: WayChoiceProps) {
  const id = useId();
  return (
    <fieldset className={classes.ways}>
      <legend>Where should the private key be made?</legend>
      {offered.map((way) => (
        <label key={way} className={classes.way}>
          <input
            type="radio"
            name={id}
            value={way}
            checked={way === value}
            onChange={() => onChange(way)}
            aria-labelledby={`${id}-${way}`}
            aria-describedby={`${id}-${way}-key`}
          />
          <span className={classes.title} id={`${id}-${way}`}>
            {ways[way].title}
          </span>
          <span id={`${id}-${way}-key`} className={classes.words}>
            <span className={classes.short}>{ways[way].short}</span> <span>{ways[way].key}</span>
          </span>
        </label>
      ))}
    </fieldset>
  );
}
