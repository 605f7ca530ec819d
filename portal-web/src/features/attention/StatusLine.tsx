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
import { toDoWords } from './healthWords.ts';
import { tabPath } from './actPath.ts';
import type { Act } from './attentionFragment.ts';
import type { Health } from './healthFragment.ts';
import classes from './StatusLine.module.css';

type StatusLineProps = {
  health: Health;
  /** Whether the page lists what needs the owner itself, so that the line only says how many these are. */
  listed?: boolean;
};

/**
 * How the integration is in one environment, in one sentence, as of when, and one button: the most pressing act that is not this
 * page. Its name for assistive technology is the whole answer.
 */
export function StatusLine({ health: { environment, level, word, sentence, acts, asOf, needs }, listed = false }: StatusLineProps) {
  const to = useIntegrationPaths();
  const { clock } = useMomentWords();
  const { pathname } = useLocation();
  const readOnly = useReadOnly();
  const pathOf = (act: Act) => tabPath({ ...act, environment: act.environment ?? environment }, to);
  const brief = listed && needs > 0;
  const act = brief ? undefined : acts.find((each) => !isAtPath(pathname, pathOf(each)));
  const words = brief ? toDoWords(needs) : withoutEnvironment(sentence);
  return (
    <section
      className={classes.line}
      data-level={level}
      data-brief={brief || undefined}
      aria-label={brief ? `${capital(environment)}: ${words}. ${word}.` : `${sentence} ${word}.`}
    >
      <div className={classes.said}>
        <EnvironmentTag environment={environment} />
        <StatusBadge tone={healthFacts[level].tone}>{word}</StatusBadge>
        <div className={classes.words}>{words}</div>
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
