import { Anchor, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { Notice } from '../../ui/states/Notice.tsx';
import { useNow } from '../../ui/time/useNow.ts';
import type { Phase } from '../integration/integrationQuery.ts';
import classes from './DeletionSummary.module.css';
import { dueWords, overdueWords } from './deletionWords.ts';
import { refusalOfAcknowledgements } from './refusalOfAcknowledgements.ts';
import type { Revocation, RevocationPage } from './revocationsQuery.ts';

type DeletionSummaryProps = {
  page: RevocationPage;
  environment: Revocation['environment'];
  phase: Phase;
  /** What can be done about all of them. */
  children: ReactNode;
};

/** How many deletions are due and until when, what a missed deadline means, and whether something is due in the other environment. */
export function DeletionSummary({ page, environment, phase, children }: DeletionSummaryProps) {
  const now = useNow();
  const other = environment === 'sandbox' ? 'production' : 'sandbox';
  const refusal = refusalOfAcknowledgements(phase);
  return (
    <section aria-label="How many, and until when">
      <div className={classes.head}>
        <div role="status">
          <Title order={2}>{dueWords(page, now)}</Title>
        </div>
        {children}
      </div>
      {page.dueCount === 0 && page.outstandingCount > 0 && (
        <Text size="sm" mt={4}>
          This is part of the test data, so that you can try an acknowledgement. It has no deadline.
        </Text>
      )}
      {page.elsewhere.dueCount > 0 && (
        <Text size="sm" mt={4}>
          <Anchor component={Link} to={{ search: `?environment=${other}` }} inherit>
            In {other === 'sandbox' ? 'the sandbox' : 'production'}
          </Anchor>
          : {dueWords(page.elsewhere, now)}.
        </Text>
      )}
      {page.overdueCount > 0 ? (
        <div className={classes.notice}>
          <Notice
            grave
            title={page.overdueCount === 1 ? 'The deadline has passed' : 'Deadlines have passed'}
            words={overdueWords(phase, environment)}
          />
        </div>
      ) : (
        refusal &&
        page.dueCount > 0 && (
          <div className={classes.notice}>
            <Notice title={`The API accepts no acknowledgements ${phase === 'over' ? 'any more' : 'now'}`} words={refusal} />
          </div>
        )
      )}
    </section>
  );
}
