import { Alert, Text } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';

/** What owner and reviewers should know of a set of scopes; nothing when there is nothing to know. */
export function ScopeWarnings({ warnings }: { warnings: readonly string[] }) {
  if (warnings.length === 0) return null;
  return (
    <Alert color="gray" variant="outline" icon={<IconAlertTriangle aria-hidden />} title="About these scopes" maw={640} mt="sm">
      {warnings.map((warning) => (
        <Text key={warning} size="sm" style={{ overflowWrap: 'anywhere' }}>
          {warning}
        </Text>
      ))}
    </Alert>
  );
}
