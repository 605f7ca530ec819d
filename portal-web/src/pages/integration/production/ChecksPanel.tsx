import { Button, Stack, Text } from '@mantine/core';
import { useState, type ReactNode } from 'react';
import { useMutation } from 'urql';
import { describeError } from '../../../graphql/describeError.ts';
import { Fold } from '../../../ui/layout/Fold.tsx';
import { Panel } from '../../../ui/layout/Panel.tsx';
import { ErrorMessage } from '../../../ui/states/ErrorMessage.tsx';
import { counted } from '../../../ui/text/counted.ts';
import { Time } from '../../../ui/time/Time.tsx';
import { StatusBadge } from '../../../ui/values/StatusBadge.tsx';
import { useReadOnly } from '../../../features/integration/ownerView.ts';
import type { Check } from '../../../features/review/checkFragment.ts';
import { checkBadge, groupedChecks } from '../../../features/review/checkWords.ts';
import classes from './production.module.css';
import { checkPagesMutation } from './productionQuery.ts';

type ChecksPanelProps = { checks: readonly Check[]; integrationId: string; onChecked: () => void; children: ReactNode };

/** What the service has found out by itself, the gravest first, and a button that has the pages visited again. */
export function ChecksPanel({ checks, integrationId, onChecked, children }: ChecksPanelProps) {
  const readOnly = useReadOnly();
  const [{ fetching }, checkPages] = useMutation(checkPagesMutation);
  const [problem, setProblem] = useState<string | null>(null);
  const { failed, unknown, unvisited, passed } = groupedChecks(checks);
  const checking = checks.some((each) => each.checking);
  const visitedAt = checks.find((each) => each.check === 'website')?.checkedAt ?? null;

  async function check() {
    const { error } = await checkPages({ input: { integrationId } });
    setProblem(error ? describeError(error).message : null);
    onChecked();
  }

  return (
    <Panel title="Checked by the service" lead="Reviewers see these results. Only what must be fixed blocks a submission.">
      <Stack gap="sm">
        {problem && <ErrorMessage message={problem} />}
        <Text size="sm" c="dimmed" role="status">
          {checking
            ? 'The service is visiting your pages.'
            : visitedAt !== null && (
                <>
                  Pages visited <Time value={visitedAt} />.
                </>
              )}
        </Text>
        {failed.length > 0 && <CheckList label="To mend" checks={failed} />}
        {unvisited.length > 0 && !checking && (
          <Text size="sm">
            {counted(unvisited.length, 'check')} of your pages {unvisited.length === 1 ? 'has' : 'have'} not been made yet. The service
            visits your pages when you begin to fill in the form.
          </Text>
        )}
        <Folded words="could not be found out" checks={unknown} />
        <Folded words="passed" checks={passed} />
        {children}
        {!readOnly && (
          <Button variant="default" size="xs" w="fit-content" loading={fetching || checking} onClick={() => void check()}>
            {visitedAt !== null ? 'Check again' : 'Check the pages'}
          </Button>
        )}
      </Stack>
    </Panel>
  );
}

function Folded({ words, checks }: { words: string; checks: readonly Check[] }) {
  if (checks.length === 0) return null;
  return (
    <Fold summary={`${checks.length} ${words}`}>
      <CheckList label={`Checks that ${words}`} checks={checks} />
    </Fold>
  );
}

function CheckList({ label, checks }: { label: string; checks: readonly Check[] }) {
  return (
    <ul className={classes.checks} aria-label={label}>
      {checks.map((check) => {
        const { tone, word } = checkBadge(check);
        return (
          <li key={check.check} className={classes.check}>
            <span className={classes.checkHead}>
              <span className={classes.checkTitle}>{check.title}</span>
              <span className={classes.badge}>
                <StatusBadge tone={tone}>{word}</StatusBadge>
              </span>
            </span>
            <Text size="sm" c="dimmed" component="span">
              {check.found}
            </Text>
          </li>
        );
      })}
    </ul>
  );
}
