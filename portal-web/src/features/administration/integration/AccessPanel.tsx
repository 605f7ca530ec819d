import { Anchor } from '@mantine/core';
import { Link } from 'react-router';
import { integrationFacts } from '../../../../../server/domain/integration/integrationFacts.ts';
import { paths } from '../../../paths.ts';
import { Panel } from '../../../ui/layout/Panel.tsx';
import { Time } from '../../../ui/time/Time.tsx';
import { Facts } from '../../../ui/values/Facts.tsx';
import type { AdministeredIntegration, OutstandingDeletions } from '../integrationQueries.ts';

/** The integration's status and its own gate, which together with the service's gate decide whether production data flows. */
export function AccessPanel({ integration, deletions }: { integration: AdministeredIntegration; deletions: OutstandingDeletions }) {
  const { status, statusReason, statusChangedAt, createdAt, productionGate: gate } = integration;
  return (
    <Panel title="Access">
      <Facts
        facts={[
          ['Status', <Since key="status" word={integrationFacts[status].word} at={statusChangedAt ?? createdAt} reason={statusReason} />],
          ['Production gate', <Since key="gate" word={gate.open ? 'Open' : 'Closed'} at={gate.changedAt} reason={gate.reason} />],
          ['Production data', <ProductionData key="data" integration={integration} />],
          ['Outstanding deletions', deletionWords(deletions)],
        ]}
      />
    </Panel>
  );
}

function Since({ word, at, reason }: { word: string; at: string | null; reason: string | null }) {
  return (
    <>
      {word}
      {at && (
        <>
          {' '}
          since <Time value={at} />
        </>
      )}
      . {reason ?? 'No reason is recorded.'}
    </>
  );
}

function ProductionData({ integration: { productionDataEnabled, productionGate, status } }: { integration: AdministeredIntegration }) {
  if (productionDataEnabled) {
    return integrationFacts[status].production === 'open'
      ? 'Enabled: both gates are open'
      : 'None: both gates are open, but the integration is not active';
  }
  return (
    <>
      Not enabled: {productionGate.open ? 'the service’s gate is closed' : 'this gate is closed'}.{' '}
      <Anchor component={Link} to={paths.adminGate} inherit>
        View the service’s gate
      </Anchor>
    </>
  );
}

function deletionWords({ outstanding, overdue }: OutstandingDeletions): string {
  if (outstanding === 0) return 'None in production';
  return overdue === 0 ? `${outstanding} in production, none overdue` : `${outstanding} in production, ${overdue} of them overdue`;
}
