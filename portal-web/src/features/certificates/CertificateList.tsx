import { Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { EnvironmentTag } from '../../ui/values/EnvironmentTag.tsx';
import { PagedList } from '../../ui/lists/PagedList.tsx';
import type { Place } from '../../ui/lists/usePlace.ts';
import { Panel } from '../../ui/layout/Panel.tsx';
import type { Client } from '../integration/integrationQuery.ts';
import { CertificateCard } from './CertificateCard.tsx';
import type { CertificatePage } from './certificatesQuery.ts';

type CertificateListProps = {
  title: string;
  page: CertificatePage;
  environment: Client['environment'];
  /** The certificates in use are on the first page. */
  place: Place;
  /** Shown if the client has never had a certificate. */
  none: ReactNode;
  /** Called after a change, as in `CertificateCard`. Without it, the list is read-only. */
  onChange?: () => void;
};

/** A page of a client's certificates, those in use first. */
export function CertificateList({ title, page, environment, place, none, onChange }: CertificateListProps) {
  return (
    <Panel title={title} marks={<EnvironmentTag environment={environment} />}>
      <PagedList label={title} {...{ place, page }} none={<Text c="dimmed">{none}</Text>}>
        {(certificates) => (
          <Stack gap="md">
            {certificates.map((certificate) => (
              <CertificateCard key={certificate.id} {...{ certificate, environment, onChange }} />
            ))}
          </Stack>
        )}
      </PagedList>
    </Panel>
  );
}
