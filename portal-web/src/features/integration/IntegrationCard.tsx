import { Text } from '@mantine/core';
import { IconArrowRight } from '@tabler/icons-react';
import { Link } from 'react-router';
import { paths } from '../../paths.ts';
import { EnvironmentTag } from '../../ui/values/EnvironmentTag.tsx';
import { RelativeTime } from '../../ui/time/RelativeTime.tsx';
import { StatusBadge } from '../../ui/values/StatusBadge.tsx';
import classes from './IntegrationCard.module.css';
import type { IntegrationSummary } from './integrationsQuery.ts';
import { corpusStateWords, integrationStatusWords } from './statusWords.ts';
import { stepOf } from '../next-step/stepOf.ts';

/** An integration in the list: what it is, what state it is in, what comes next. */
export function IntegrationCard({ integration }: { integration: IntegrationSummary }) {
  const { slug, status, profile, clients, createdAt, productionDataEnabled } = integration;
  const sandbox = clients.find(({ environment }) => environment === 'sandbox');
  const production = clients.find(({ environment }) => environment === 'production');
  const state = sandbox?.corpus?.state ?? null;
  const next = stepOf(integration);
  const hasProduction = production !== undefined && status !== 'retired';
  const flows = productionDataEnabled && status === 'active';
  const badge = integrationStatusWords[status];
  return (
    <article className={classes.card}>
      <div className={classes.head}>
        <h2>
          <Link to={paths.integration(slug)} className={classes.link}>
            {profile.publicName}
          </Link>
        </h2>
        <StatusBadge tone={badge.tone}>{badge.word}</StatusBadge>
      </div>
      <Text size="sm" c="dimmed" lineClamp={2}>
        {profile.publicDescription}
      </Text>
      <div className={classes.marks}>
        {status !== 'retired' && (
          <span className={classes.environment}>
            <EnvironmentTag environment="sandbox" />
            {state && <StatusBadge tone={corpusStateWords[state].tone}>{`Data ${corpusStateWords[state].word.toLowerCase()}`}</StatusBadge>}
          </span>
        )}
        {hasProduction && (
          <span className={classes.environment}>
            <EnvironmentTag environment="production" />
            <StatusBadge tone={flows ? 'good' : 'stopped'}>{flows ? 'Data enabled' : 'Data disabled'}</StatusBadge>
          </span>
        )}
        <Text size="sm" c="dimmed" component="span">
          Created <RelativeTime value={createdAt} />
        </Text>
      </div>
      <div className={classes.next}>
        <IconArrowRight size={16} aria-hidden />
        <span>{next.title}</span>
      </div>
    </article>
  );
}
