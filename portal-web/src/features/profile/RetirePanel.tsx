import { Button, Text } from '@mantine/core';
import { useState } from 'react';
import { Panel } from '../../ui/layout/Panel.tsx';
import { type Integration, isOver } from '../integration/integrationQuery.ts';
import { RetireDialog } from './RetireDialog.tsx';

/** Offers to retire the integration. During a review, this has to wait for the decision. */
export function RetirePanel({
  integration,
  mayRetire,
  onRetired,
}: {
  integration: Integration;
  mayRetire: boolean;
  onRetired: () => void;
}) {
  const [asking, setAsking] = useState(false);
  if (isOver(integration)) return null;
  const inProduction = integration.clients.some(({ environment }) => environment === 'production');
  const left = inProduction ? 'you must delete what users have shared' : 'its test data is removed';
  return (
    <Panel title="Retire integration" lead={`Ends the integration: access stops for good, and ${left}.`}>
      {mayRetire ? (
        <Button variant="default" onClick={() => setAsking(true)}>
          Retire this integration
        </Button>
      ) : (
        <Text size="sm">The integration is under review. Withdraw the submission or wait for the decision, then retire it.</Text>
      )}
      {asking && <RetireDialog integration={integration} onClose={() => setAsking(false)} onRetired={onRetired} />}
    </Panel>
  );
}
