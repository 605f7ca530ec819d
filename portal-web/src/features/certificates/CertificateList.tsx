import { Anchor, Stack, Text } from '@mantine/core';
import { Link } from 'react-router';
import { paths } from '../../paths.ts';
import { EnvironmentTag } from '../../ui/EnvironmentTag.tsx';
import { Panel } from '../../ui/Panel.tsx';
import type { Client } from '../integration/integrationQuery.ts';
import { CertificateCard } from './CertificateCard.tsx';

/** All certificates of a client, those in use first. */
export function CertificateList({ client, onChange }: { client: Client; onChange: () => void }) {
  const order = ['issued', 'pending', 'failed', 'expired', 'revoked'];
  const certificates = client.certificates.toSorted(
    (a, b) => order.indexOf(a.status) - order.indexOf(b.status) || b.requestedAt.localeCompare(a.requestedAt),
  );
  return (
    <Panel title="Your certificates" marks={<EnvironmentTag environment={client.environment} />}>
      {certificates.length === 0 && (
        <Text c="dimmed">
          None yet. The first one appears here a few seconds after you upload a request.{' '}
          <Anchor component={Link} to={paths.guide('certificates')} inherit>
            About certificates and rotation
          </Anchor>
        </Text>
      )}
      <Stack gap="md">
        {certificates.map((certificate) => (
          <CertificateCard key={certificate.id} certificate={certificate} environment={client.environment} onChange={onChange} />
        ))}
      </Stack>
    </Panel>
  );
}
