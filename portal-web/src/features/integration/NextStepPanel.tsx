import { Button, Text, Title } from '@mantine/core';
import { IconCircle, IconCircleCheckFilled } from '@tabler/icons-react';
import { Link } from 'react-router';
import { paths } from '../../paths.ts';
import type { Client, Integration } from './integrationQuery.ts';
import classes from './NextStepPanel.module.css';
import { nextStep } from './nextStep.ts';

/** The one next thing to do, beside what is done already. */
export function NextStepPanel({ integration, client }: { integration: Integration; client: Client | null }) {
  const certificates = client?.certificates ?? [];
  const corpusState = client?.corpus?.state ?? null;
  const next = nextStep({ status: integration.status, corpusState, certificates });
  const steps = [
    { label: 'Integration created', done: true },
    { label: 'Synthetic data ready', done: corpusState === 'ready' },
    { label: 'Certificate issued', done: certificates.some(({ status }) => status === 'issued') },
  ];
  return (
    <section className={classes.root} aria-labelledby="next-step">
      <div className={classes.words} aria-live="polite">
        <Text size="sm" fw={600} c="dimmed">
          What comes next
        </Text>
        <Title order={2} id="next-step">
          {next.title}
        </Title>
        <Text>{next.text}</Text>
        {(next.step === 'certificate' || next.step === 'issuance') && (
          <Button component={Link} to={paths.certificates(integration.slug)} mt="sm" w="fit-content">
            {next.step === 'certificate' ? 'Get a certificate' : 'Go to the certificates'}
          </Button>
        )}
      </div>
      <ul className={classes.steps} aria-label="Progress">
        {steps.map(({ label, done }) => (
          <li key={label} data-done={done || undefined}>
            {done ? <IconCircleCheckFilled size={20} aria-hidden /> : <IconCircle size={20} aria-hidden />}
            <span>
              {label}
              <span className={classes.hidden}>{done ? ': done' : ': not yet'}</span>
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}
