import { Alert, Text } from '@mantine/core';
import { IconInfoCircle } from '@tabler/icons-react';

/** What the owner and reviewers should know about a set of scopes. Shows nothing if there are no warnings. */
export function ScopeWarnings({ warnings }: { warnings: readonly string[] }) {
  if (warnings.length === 0) return null;
  return (
    <Alert color="gray" variant="outline" icon={<IconInfoCircle aria-hidden />} title="About these scopes" maw={640} mt="sm">
      {warnings.map((warning) => (
        <Text key={warning} size="sm" style={{ overflowWrap: 'anywhere' }}>
          {warning}
        </Text>
      ))}
    </Alert>
  );
}
