import { Container } from '@mantine/core';
import { ErrorMessage } from '../ui/states/ErrorMessage.tsx';
import { PageHeader } from '../ui/layout/PageHeader.tsx';

/** Shown if a page fails, or if its files cannot be loaded because a newer version of the portal has replaced them. */
export function RouteError() {
  return (
    <Container component="main" size={640} py={64}>
      <PageHeader title="This page could not be shown" />
      <ErrorMessage
        message="The portal may have been updated since you opened it. Reload the page to go on."
        retry="Reload the page"
        onRetry={() => window.location.reload()}
      />
    </Container>
  );
}
