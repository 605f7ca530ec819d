import { Anchor } from '@mantine/core';
import { Link } from 'react-router';
import { StatusIcon } from '../../ui/values/StatusBadge.tsx';
import { useIntegrationPaths } from '../integration/ownerView.ts';
import { tabPath } from './actPath.ts';
import type { Health } from './healthFragment.ts';
import { findingWords, signalTones, signalWords } from './healthWords.ts';
import classes from './SignalList.module.css';

type SignalListProps = { health: Health; more?: readonly { readonly word: string; readonly found: string; readonly to: string }[] };

const none: NonNullable<SignalListProps['more']> = [];

/** What the health of one environment is made of, one line each with a link to the page that shows more. */
export function SignalList({ health: { environment, signals }, more = none }: SignalListProps) {
  const to = useIntegrationPaths();
  return (
    <ul className={classes.list}>
      {signals.map((signal) => (
        <li key={signal.signal} className={classes.line} data-level={signal.level}>
          <StatusIcon tone={signalTones[signal.level]} />
          <Anchor component={Link} inherit to={tabPath({ page: signal.page, environment, objectId: null }, to)}>
            {signalWords[signal.signal]}
          </Anchor>
          <span>{findingWords(signal)}</span>
        </li>
      ))}
      {more.map(({ word, found, to: path }) => (
        <li key={word} className={classes.line}>
          <StatusIcon tone="neutral" />
          <Anchor component={Link} inherit to={path}>
            {word}
          </Anchor>
          <span>{found}</span>
        </li>
      ))}
    </ul>
  );
}
