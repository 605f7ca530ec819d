import { Button, Text, Title } from '@mantine/core';
import { IconCircle, IconCircleCheckFilled } from '@tabler/icons-react';
import { Link } from 'react-router';
import { paths } from '../../paths.ts';
import { ContactLink } from '../../ui/values/ContactLink.tsx';
import { productionClient, sandboxClient, type Client, type Integration } from '../integration/integrationQuery.ts';
import classes from './NextStepPanel.module.css';
import type { NextStep } from './nextStep.ts';
import { stepOf } from './stepOf.ts';
import type { Service } from '../integration/useIntegration.ts';

/** The next step, beside the steps that are done. */
export function NextStepPanel({ integration, contact }: { integration: Integration; contact: Service['supportContact'] }) {
  const { slug, status } = integration;
  const sandbox = sandboxClient(integration);
  const next = stepOf(integration);
  return (
    <section className={classes.root} aria-labelledby="next-step">
      <div className={classes.words} aria-live="polite">
        <Text size="sm" fw={600} c="dimmed">
          Next step
        </Text>
        <Title order={2} id="next-step">
          {next.title}
        </Title>
        {status === 'suspended' && integration.statusReason && <Text fw={550}>Reason: {integration.statusReason}</Text>}
        <Text>{next.text}</Text>
        {next.contact && (
          <Text>
            Contact: <ContactLink contact={contact} />
          </Text>
        )}
        {next.action && (
          <Button component={Link} to={pathOf(next.action.page, slug)} mt="sm" w="fit-content">
            {next.action.label}
          </Button>
        )}
      </div>
      {status !== 'retired' && (
        <ul className={classes.steps} aria-label="Progress">
          {stepsOf(integration, sandbox).map(({ label, done }) => (
            <li key={label} data-done={done || undefined}>
              {done ? <IconCircleCheckFilled size={20} aria-hidden /> : <IconCircle size={20} aria-hidden />}
              <span>
                {label}
                <span className={classes.hidden}>{done ? ': done' : ': not yet'}</span>
              </span>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

type Page = NonNullable<NextStep['action']>['page'];

function pathOf(page: Page, slug: string): string {
  return page === 'productionCertificates' ? paths.certificates(slug, 'production') : paths[page](slug);
}

/** The steps to the first call, or, after it, the steps to production. */
function stepsOf(integration: Integration, sandbox: Client | null): { label: string; done: boolean }[] {
  const production = productionClient(integration);
  if (!production) {
    return [
      { label: 'Integration created', done: true },
      { label: 'Test data ready', done: sandbox?.corpus?.state === 'ready' },
      { label: 'Certificate issued', done: hasCertificate(sandbox) },
      { label: 'First call made', done: Boolean(sandbox?.lastRequestAt) },
      { label: integration.status === 'rejected' ? 'Submitted again' : 'Submitted for review', done: integration.status === 'submitted' },
    ];
  }
  return [
    { label: 'Profile reviewed', done: integration.reviewedProfileVersion !== null },
    { label: 'Production certificate issued', done: hasCertificate(production) },
    { label: 'Active', done: integration.status === 'active' },
    { label: 'Production gate open', done: integration.productionDataEnabled },
  ];
}

function hasCertificate(client: Client | null): boolean {
  return client?.certificatesInUse.some(({ status }) => status === 'issued') ?? false;
}
