import { Anchor, Stack, Text } from '@mantine/core';
import { Link } from 'react-router';
import { paths } from '../../paths.ts';
import { EnvironmentTag } from '../../ui/EnvironmentTag.tsx';
import { Pager } from '../../ui/Pager.tsx';
import { Panel } from '../../ui/Panel.tsx';
import type { Client } from '../integration/integrationQuery.ts';
import { CertificateCard } from './CertificateCard.tsx';
import type { CertificatePage } from './certificatesQuery.ts';

type CertificateListProps = {
  page: CertificatePage;
  environment: Client['environment'];
  /** The cursor that the page begins after; '' at the beginning, where those in use are. */
  after: string;
  onAfter: (after: string) => void;
  onChange: () => void;
};

/** A page of a client's certificates, those in use first. */
export function CertificateList({ page: { edges, pageInfo }, environment, after, onAfter, onChange }: CertificateListProps) {
  return (
    <Panel title="Your certificates" marks={<EnvironmentTag environment={environment} />}>
      {edges.length === 0 && !after && (
        <Text c="dimmed">
          None yet. The first one appears here a few seconds after you upload a request.{' '}
          <Anchor component={Link} to={paths.guide('certificates')} inherit>
            About certificates and rotation
          </Anchor>
        </Text>
      )}
      <Stack gap="md">
        {edges.map(({ node }) => (
          <CertificateCard key={node.id} certificate={node} environment={environment} onChange={onChange} />
        ))}
      </Stack>
      <Pager page={pageInfo} after={after} onAfter={onAfter} />
    </Panel>
  );
}
