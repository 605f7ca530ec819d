import { Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { EnvironmentTag } from '../../ui/values/EnvironmentTag.tsx';
import { Pager } from '../../ui/lists/Pager.tsx';
import { Panel } from '../../ui/layout/Panel.tsx';
import type { Client } from '../integration/integrationQuery.ts';
import { CertificateCard } from './CertificateCard.tsx';
import type { CertificatePage } from './certificatesQuery.ts';

type CertificateListProps = {
  title: string;
  page: CertificatePage;
  environment: Client['environment'];
  /** The cursor that the page begins after; '' at the beginning, where those in use are. */
  after: string;
  onAfter: (after: string) => void;
  /** What is said where there has never been one. */
  none: ReactNode;
  /** As in `CertificateCard`: without it the list can only be read. */
  onChange?: () => void;
};

/** A page of a client's certificates, those in use first. */
export function CertificateList({ title, page: { edges, pageInfo }, environment, after, onAfter, none, onChange }: CertificateListProps) {
  return (
    <Panel title={title} marks={<EnvironmentTag environment={environment} />}>
      {edges.length === 0 && !after && <Text c="dimmed">{none}</Text>}
      <Stack gap="md">
        {edges.map(({ node }) => (
          <CertificateCard key={node.id} certificate={node} environment={environment} onChange={onChange} />
        ))}
      </Stack>
      <Pager page={pageInfo} after={after} onAfter={onAfter} />
    </Panel>
  );
}
