import { Stack } from '@mantine/core';
import { CertificateList } from '../features/certificates/CertificateList.tsx';
import { KeyCommands } from '../features/certificates/KeyCommands.tsx';
import { UploadRequest } from '../features/certificates/UploadRequest.tsx';
import { sandboxClient } from '../features/integration/integrationQuery.ts';
import { useIntegration } from '../features/integration/useIntegration.ts';
import { ErrorMessage } from '../ui/ErrorMessage.tsx';

/** The certificates of the sandbox client, and how to get another one. */
export function Component() {
  const { integration, service, reread } = useIntegration();
  const client = sandboxClient(integration);
  if (!client) return <ErrorMessage message="This integration has no sandbox client." />;
  return (
    <Stack gap="lg">
      {client.certificates.length > 0 && <CertificateList client={client} onChange={reread} />}
      <KeyCommands commonName={client.commonName} />
      <UploadRequest client={client} limits={service.limits} onRequested={reread} />
      {client.certificates.length === 0 && <CertificateList client={client} onChange={reread} />}
    </Stack>
  );
}
