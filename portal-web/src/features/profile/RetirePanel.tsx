import { Button, Text } from '@mantine/core';
import { useState } from 'react';
import { Panel } from '../../ui/layout/Panel.tsx';
import type { Integration } from '../integration/integrationQuery.ts';
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
  if (integration.status === 'retired') return null;
  return (
    <Panel title="Retire integration" lead="Ends the integration: access stops for good, and you must delete what users have shared.">
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
