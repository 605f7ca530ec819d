import { Alert, Button, Group, Text } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';

/** Says what went wrong and, where it makes sense, offers to try again. */
export function ErrorMessage({ message, retry = 'Try again', onRetry }: { message: string; retry?: string; onRetry?: () => void }) {
  return (
    <Alert
      color="red"
      variant="outline"
      icon={<IconAlertTriangle aria-hidden />}
      role="alert"
      {...(onRetry && { styles: { wrapper: { alignItems: 'center' } } })}
    >
      <Group justify="space-between" gap="sm">
        <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
          {message}
        </Text>
        {onRetry && (
          <Button variant="default" size="xs" onClick={onRetry}>
            {retry}
          </Button>
        )}
      </Group>
    </Alert>
  );
}
