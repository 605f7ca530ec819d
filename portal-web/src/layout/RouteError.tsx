import { Container } from '@mantine/core';
import { ErrorMessage } from '../ui/states/ErrorMessage.tsx';
import { PageHeading } from '../ui/layout/PageHeading.tsx';

/** What is shown when a page itself breaks, or its files cannot be loaded because a newer portal has replaced them. */
export function RouteError() {
  return (
    <Container component="main" size={640} py={64}>
      <PageHeading title="This page could not be shown" />
      <ErrorMessage message="Reload the page; the portal may have been updated." onRetry={() => window.location.reload()} />
    </Container>
  );
}
