import { Anchor } from '@mantine/core';
import { Link } from 'react-router';
import { paths } from '../../../paths.ts';
import { Panel } from '../../../ui/layout/Panel.tsx';
import { Time } from '../../../ui/time/Time.tsx';
import { Facts } from '../../../ui/values/Facts.tsx';
import { Identifier } from '../../../ui/values/Identifier.tsx';
import { countryName } from '../../integration/countries.ts';
import type { AdministeredIntegration } from '../integrationQueries.ts';

type OwnerPanelProps = { integration: AdministeredIntegration; owner: { readonly id: string; readonly email: string | null } };

/** Whose integration it is, and whom to write to. */
export function OwnerPanel({ integration, owner }: OwnerPanelProps) {
  const { id, slug, createdAt, reviewedProfileVersion, profile } = integration;
  return (
    <Panel title="Owner and contacts">
      <Facts
        facts={[
          [
            'Owner',
            <Anchor key="owner" component={Link} to={paths.adminOperator(owner.id)} inherit>
              {owner.email ?? 'A deleted account'}
            </Anchor>,
          ],
          ['Legal operator', `${profile.legalOperatorName}, ${countryName(profile.country)}`],
          [
            'Support',
            <Anchor key="support" href={`mailto:${profile.supportEmail}`} inherit>
              {profile.supportEmail}
            </Anchor>,
          ],
          ['Slug', <Identifier key="slug" value={slug} label="the slug" />],
          ['ID', <Identifier key="id" value={id} label="the integration ID" />],
          ['Created', <Time key="created" value={createdAt} />],
          [
            'Profile',
            reviewedProfileVersion === null
              ? `Version ${profile.version}, none reviewed`
              : `Version ${profile.version}, reviewed: ${reviewedProfileVersion}`,
          ],
        ]}
      />
    </Panel>
  );
}
