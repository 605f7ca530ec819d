import { Anchor, Text } from '@mantine/core';
import { Link, useLocation } from 'react-router';
import { healthFacts } from '../../../../server/domain/attention/findings/healthFacts.ts';
import { isAtPath } from '../../ui/layout/isAtPath.ts';
import { capital, inSentence } from '../../ui/text/firstLetter.ts';
import { AsOf } from '../../ui/time/AsOf.tsx';
import { clockWords } from '../../ui/time/timeWords.ts';
import { EnvironmentTag } from '../../ui/values/EnvironmentTag.tsx';
import { StatusBadge } from '../../ui/values/StatusBadge.tsx';
import { useIntegrationPaths } from '../integration/ownerView.ts';
import { tabPath } from './actPath.ts';
import type { Health } from './healthFragment.ts';
import { findingWords, signalWords } from './healthWords.ts';
import classes from './StatusLine.module.css';

/** Of a level in which nothing is called any more: the link to why; null where nothing explains it. The other levels are null. */
const stoppedLinks: Readonly<Record<Health['level'], { why: string | null } | null>> = {
  new: null,
  settingUp: null,
  healthy: null,
  attention: null,
  failing: null,
  suspended: { why: 'Why it is suspended, and what to do' },
  retired: { why: null },
};

/**
 * How the integration is in one environment: whether data flows, what is wrong with a link to it, and as of when. What the page itself shows comes first, and
 * is no link; of a suspension, why it is. Its name for assistive technology is the whole answer.
 */
export function StatusLine({ health }: { health: Health }) {
  const { environment, level, word, sentence, asOf, signals } = health;
  const to = useIntegrationPaths();
  const { pathname } = useLocation();
  const isHere = (path: string) => isAtPath(pathname, path);
  const stopped = stoppedLinks[level];
  // What is wrong with the data is the sentence itself. What users have revoked has to be deleted whatever else is over.
  const wrong = signals.filter(
    ({ signal, level: each }) => (stopped ? signal === 'deletions' : signal !== 'data') && (each === 'attention' || each === 'failing'),
  );
  const links = wrong
    .map((signal) => ({
      key: signal.signal,
      path: tabPath({ page: signal.page, environment, objectId: null }, to),
      words: `${signalWords[signal.signal]}: ${inSentence(findingWords(signal))}`,
    }))
    .toSorted((one, other) => Number(isHere(other.path)) - Number(isHere(one.path)));
  if (stopped?.why && !isHere(to.overview())) {
    links.unshift({ key: 'data', path: to.overview({ environment }), words: stopped.why });
  }
  return (
    <section className={classes.line} data-level={level} aria-label={`${sentence} ${word}.`}>
      <EnvironmentTag environment={environment} />
      <StatusBadge tone={healthFacts[level].tone}>{word}</StatusBadge>
      <div className={classes.words}>
        {withoutEnvironment(sentence)}
        {links.length > 0 && (
          <div className={classes.links}>
            {links.map(({ key, path, words }) =>
              isHere(path) ? (
                <Text key={key} component="span" size="sm">
                  {words}
                </Text>
              ) : (
                <Anchor key={key} component={Link} to={path} size="sm">
                  {words}
                </Anchor>
              ),
            )}
          </div>
        )}
      </div>
      <Text size="xs" c="dimmed" component="span" className={classes.asOf}>
        as of <AsOf at={asOf} words={clockWords(new Date(asOf))} />
      </Text>
    </section>
  );
}

/** The tag in front names it. */
function withoutEnvironment(sentence: string): string {
  return capital(sentence.slice(sentence.indexOf(': ') + 2));
}
