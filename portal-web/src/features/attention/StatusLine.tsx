import { Anchor, Text } from '@mantine/core';
import { Link } from 'react-router';
import { AsOf } from '../../ui/time/AsOf.tsx';
import { clockWords } from '../../ui/time/timeWords.ts';
import { EnvironmentTag } from '../../ui/values/EnvironmentTag.tsx';
import { StatusBadge } from '../../ui/values/StatusBadge.tsx';
import { useIntegrationPaths } from '../integration/ownerView.ts';
import { tabPath } from './actPath.ts';
import type { Health } from './healthFragment.ts';
import { findingWords, healthTones, signalWords } from './healthWords.ts';
import classes from './StatusLine.module.css';

/**
 * How the integration is in one environment, in one line: whether data flows, what is wrong with a link to it, and as of when. Its name
 * for assistive technology is the whole answer.
 */
export function StatusLine({ health }: { health: Health }) {
  const { environment, level, word, sentence, asOf, signals } = health;
  const to = useIntegrationPaths();
  const over = level === 'suspended' || level === 'retired';
  // What is wrong with the data is the sentence itself.
  const wrong = signals.filter((each) => each.signal !== 'data' && (each.level === 'attention' || each.level === 'failing'));
  return (
    <section className={classes.line} data-level={level} aria-label={`${sentence} ${word}.`}>
      <EnvironmentTag environment={environment} />
      <StatusBadge tone={healthTones[level]}>{word}</StatusBadge>
      <div className={classes.words}>
        {withoutEnvironment(sentence)}
        {!over &&
          wrong.map((signal) => (
            <Anchor key={signal.signal} component={Link} to={tabPath({ page: signal.page, environment, objectId: null }, to)} size="sm">
              {signalWords[signal.signal]}: {findingWords(signal)}
            </Anchor>
          ))}
      </div>
      <Text size="xs" c="dimmed" component="span" className={classes.asOf}>
        as of <AsOf at={asOf} words={clockWords(new Date(asOf))} />
      </Text>
    </section>
  );
}

/** The tag in front names it. */
function withoutEnvironment(sentence: string): string {
  const said = sentence.slice(sentence.indexOf(': ') + 2);
  return said.charAt(0).toUpperCase() + said.slice(1);
}
