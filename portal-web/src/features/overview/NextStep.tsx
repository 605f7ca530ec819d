import { Button, Text, Title } from '@mantine/core';
import { Link } from 'react-router';
import { ContactLink } from '../../ui/values/ContactLink.tsx';
import { useIntegrationPaths, useReadOnly } from '../integration/ownerView.ts';
import type { Service } from '../integration/useIntegration.ts';
import { DueTime } from '../attention/DueTime.tsx';
import { tabPath } from '../attention/actPath.ts';
import classes from './NextStep.module.css';
import type { Overview } from './overviewQuery.ts';

type NextStepProps = { step: NonNullable<Overview['nextStep']>; reason: string | null; contact: Service['supportContact'] };

/** The one thing to do next, or to wait for. `reason` is why the integration is suspended. */
export function NextStep({ step: { level, title, text, since, deadline, act, contact: asks }, reason, contact }: NextStepProps) {
  const to = useIntegrationPaths();
  const readOnly = useReadOnly();
  return (
    <section className={classes.root} data-level={level ?? undefined} aria-labelledby="next-step">
      <div className={classes.words} aria-live="polite">
        <div className={classes.head}>
          <Title order={2} id="next-step">
            {title}
          </Title>
          <Text size="sm" c="dimmed" component="span">
            <DueTime deadline={deadline} since={since} act={act} />
          </Text>
        </div>
        {asks && reason !== null && (
          <Text size="sm" fw={550}>
            Reason: {reason}
          </Text>
        )}
        <Text size="sm" maw={680}>
          {text}
          {asks && (
            <>
              {' '}
              Contact: <ContactLink contact={contact} />
            </>
          )}
        </Text>
      </div>
      {act && !readOnly && act.page !== 'overview' && (
        <Button component={Link} to={tabPath(act, to)}>
          {act.label}
        </Button>
      )}
    </section>
  );
}
