import { Container } from '@mantine/core';
import { ErrorMessage } from './ErrorMessage.tsx';

/** What is shown when a page itself breaks, or its files cannot be loaded because a newer portal has replaced them. */
export function RouteError() {
  return (
    <Container size={640} py={64}>
      <ErrorMessage
        message="This page could not be shown. Reload it; the portal may have been updated meanwhile."
        onRetry={() => window.location.reload()}
      />
    </Container>
  );
}
