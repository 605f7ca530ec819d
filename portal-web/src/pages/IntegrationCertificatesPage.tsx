import { SegmentedControl, Stack } from '@mantine/core';
import { useSearchParams } from 'react-router';
import { CertificateList } from '../features/certificates/CertificateList.tsx';
import { KeyCommands } from '../features/certificates/KeyCommands.tsx';
import { UploadRequest } from '../features/certificates/UploadRequest.tsx';
import { useIntegration } from '../features/integration/useIntegration.ts';
import { ErrorMessage } from '../ui/ErrorMessage.tsx';

/** The certificates of one client, and how to get another one. The production client joins the sandbox's on approval. */
export function Component() {
  const {
    integration: { clients, status },
    service,
    reread,
  } = useIntegration();
  const [search, setSearch] = useSearchParams();
  const wanted = search.get('environment') === 'production' ? 'production' : 'sandbox';
  const client = clients.find(({ environment }) => environment === wanted) ?? clients[0];
  if (!client) return <ErrorMessage message="This integration has no client." />;
  return (
    <Stack gap="lg" key={client.id}>
      {clients.length > 1 && (
        <SegmentedControl
          aria-label="Environment"
          w="fit-content"
          data={[
            { value: 'sandbox', label: 'Sandbox' },
            { value: 'production', label: 'Production' },
          ]}
          value={client.environment}
          onChange={(value) => setSearch(value === 'production' ? { environment: value } : {}, { replace: true, preventScrollReset: true })}
        />
      )}
      {client.certificates.length > 0 && <CertificateList client={client} onChange={reread} />}
      {status !== 'retired' && (
        <>
          <KeyCommands commonName={client.commonName} />
          <UploadRequest client={client} limits={service.limits} onRequested={reread} />
        </>
      )}
      {client.certificates.length === 0 && <CertificateList client={client} onChange={reread} />}
    </Stack>
  );
}
