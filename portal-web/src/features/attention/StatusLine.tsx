import { Button, Text } from '@mantine/core';
import { Link, useLocation } from 'react-router';
import { healthFacts } from '../../../../server/domain/attention/findings/healthFacts.ts';
import { isAtPath } from '../../ui/layout/isAtPath.ts';
import { capital } from '../../ui/text/firstLetter.ts';
import { AsOf } from '../../ui/time/AsOf.tsx';
import { useMomentWords } from '../../ui/time/useZone.ts';
import { EnvironmentTag } from '../../ui/values/EnvironmentTag.tsx';
import { StatusBadge } from '../../ui/values/StatusBadge.tsx';
import { useIntegrationPaths, useReadOnly } from '../integration/ownerView.ts';
import { tabPath } from './actPath.ts';
import type { Act } from './attentionFragment.ts';
import type { Health } from './healthFragment.ts';
import classes from './StatusLine.module.css';

type StatusLineProps = {
  health: Health;
  /** What the page offers elsewhere. */
  offered?: Act | null | undefined;
};

/**
 * How the integration is in one environment, in one sentence, as of when, and one button: the most pressing act that the page neither is nor
 * offers. Its name for assistive technology is the whole answer.
 */
export function StatusLine({ health: { environment, level, word, sentence, acts, asOf }, offered }: StatusLineProps) {
  const to = useIntegrationPaths();
  const { clock } = useMomentWords();
  const { pathname } = useLocation();
  const readOnly = useReadOnly();
  const pathOf = (act: Act) => tabPath({ ...act, environment: act.environment ?? environment }, to);
  const elsewhere = offered && pathOf(offered);
  const act = acts.find((each) => pathOf(each) !== elsewhere && !isAtPath(pathname, pathOf(each)));
  return (
    <section className={classes.line} data-level={level} aria-label={`${sentence} ${word}.`}>
      <div className={classes.said}>
        <EnvironmentTag environment={environment} />
        <StatusBadge tone={healthFacts[level].tone}>{word}</StatusBadge>
        <div className={classes.words}>{withoutEnvironment(sentence)}</div>
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

/** The tag in front names it. */
function withoutEnvironment(sentence: string): string {
  return capital(sentence.slice(sentence.indexOf(': ') + 2));
}
