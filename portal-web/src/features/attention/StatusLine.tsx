import { Anchor, Button, Text } from '@mantine/core';
import { Link, useLocation } from 'react-router';
import { healthFacts } from '../../../../server/domain/attention/findings/healthFacts.ts';
import { isAtPath } from '../../ui/layout/isAtPath.ts';
import { capital, inSentence } from '../../../../server/domain/shared/text/firstLetter.ts';
import { AsOf } from '../../ui/time/AsOf.tsx';
import { useNow } from '../../ui/time/useNow.ts';
import { useMomentWords } from '../../ui/time/useZone.ts';
import { EnvironmentTag } from '../../ui/values/EnvironmentTag.tsx';
import { StatusBadge } from '../../ui/values/StatusBadge.tsx';
import { useIntegrationPaths, useReadOnly } from '../integration/ownerView.ts';
import { isPressing, type Told } from './healthWords.ts';
import { tabPath } from './actPath.ts';
import type { Act } from './attentionFragment.ts';
import type { Health } from './healthFragment.ts';
import classes from './StatusLine.module.css';

type StatusLineProps = { health: Pick<Health, 'environment' | 'asOf' | 'signals'>; told: Told };

/**
 * How the integration is in one environment, in one sentence, as of when, and one button: the most pressing act that is not this
 * page. Its name for assistive technology is the whole answer.
 */
export function StatusLine({ health: { environment, asOf, signals }, told: { level, words, acts, more } }: StatusLineProps) {
  const to = useIntegrationPaths();
  const { clock } = useMomentWords();
  const { pathname } = useLocation();
  const readOnly = useReadOnly();
  const pathOf = (act: Act) => tabPath({ ...act, environment: act.environment ?? environment }, to);
  const act = acts.find((each) => !isAtPath(pathname, pathOf(each)));
  const now = useNow();
  const { tone: usual, word } = healthFacts[level];
  // In the colour of what is so pressing, wherever else the page shows it.
  const tone = level === 'attention' && signals.some((each) => isPressing(each, now)) ? 'bad' : usual;
  return (
    <section className={classes.line} data-tone={tone} aria-label={`${capital(environment)}: ${inSentence(words)} ${word}.`}>
      <div className={classes.said}>
        <EnvironmentTag environment={environment} />
        <StatusBadge tone={tone}>{word}</StatusBadge>
        <div className={classes.words}>
          {words}
          {more && (
            <>
              {' '}
              <Anchor component={Link} to={to.overview({ environment })} inherit>
                {more.toLocaleString('en')}&nbsp;more&nbsp;to&nbsp;do
              </Anchor>
            </>
          )}
        </div>
      </div>
      <div className={classes.end}>
        <Text size="xs" c="dimmed" component="span" className={classes.asOf}>
          as of <AsOf at={asOf} words={clock(new Date(asOf))} />
        </Text>
        {act && !readOnly && (
          <Button
            component={Link}
            to={pathOf(act)}
            variant="default"
            size="xs"
            className={classes.act}
            aria-label={`${act.label}, ${environment}`}
          >
            {act.label}
          </Button>
        )}
      </div>
    </section>
  );
}
