import { Button, Text } from '@mantine/core';
import { useState } from 'react';
import { Panel } from '../../ui/Panel.tsx';
import type { Integration } from '../integration/integrationQuery.ts';
import { RetireDialog } from './RetireDialog.tsx';

/** The way to end the integration for good; under review it waits for the decision. */
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
    <Panel title="Retire the integration" lead="For when it ends: access stops for good, and what users have shared has to be deleted.">
      {mayRetire ? (
        <Button variant="default" onClick={() => setAsking(true)}>
          Retire this integration
        </Button>
      ) : (
        <Text size="sm">It is under review. Once the reviewers have decided, it can be retired.</Text>
      )}
      <RetireDialog integration={integration} opened={asking} onClose={() => setAsking(false)} onRetired={onRetired} />
    </Panel>
  );
}
