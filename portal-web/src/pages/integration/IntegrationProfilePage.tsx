import { Button, Group, Stack } from '@mantine/core';
import { useState } from 'react';
import { Link } from 'react-router';
import { useQuery } from 'urql';
import { BusinessModelPanel } from '../../features/business-model/BusinessModelPanel.tsx';
import { ProfilePanel } from '../../features/integration/ProfilePanel.tsx';
import { useReadOnly } from '../../features/integration/ownerView.ts';
import { useIntegration } from '../../features/integration/useIntegration.ts';
import { KitPanels } from '../../features/kit/KitPanels.tsx';
import { LogoPanel } from '../../features/logo/LogoPanel.tsx';
import { freedomWords } from '../../features/profile/freedom.ts';
import { ProfileForm } from '../../features/profile/ProfileForm.tsx';
import { profileQuery, versionPage, versionsQuery, type ProfileFacts } from '../../features/profile/profileQueries.ts';
import { RetirePanel } from '../../features/profile/RetirePanel.tsx';
import { VersionList } from '../../features/profile/VersionList.tsx';
import { useFirstRead } from '../../graphql/useFirstRead.ts';
import { paths } from '../../paths.ts';
import { usePlace } from '../../ui/lists/usePlace.ts';
import { Loaded } from '../../ui/states/Loaded.tsx';

/** The integration's profile: the current version, a form to change it, all versions, the kit, and a way to retire the integration. */
export function Component() {
  const { integration, service, reread } = useIntegration();
  const { slug, status, profile } = integration;
  const readOnly = useReadOnly();
  const [result, read] = useQuery({ query: profileQuery, variables: { slug } });
  // The list of versions has panels below it. It is read together with the facts, so that it does not push them down.
  const [versions] = useQuery({ query: versionsQuery, variables: versionPage(slug, usePlace('versions').after) });
  const ready = useFirstRead(result, versions);
  const [editing, setEditing] = useState(false);
  const readAgain = () => {
    reread();
    read({ requestPolicy: 'network-only' });
  };

  function saved() {
    setEditing(false);
    readAgain();
  }

  return (
    <Loaded result={{ ...result, data: ready ? result.data : undefined }} onRetry={() => read({ requestPolicy: 'network-only' })}>
      {({ integration: facts }) => (
        <Stack gap="lg">
          {editing && mayEdit(facts) ? (
            <ProfileForm
              {...{ integration, service }}
              fields={facts.profileFields}
              onClose={() => setEditing(false)}
              onSaved={saved}
              onStale={readAgain}
            />
          ) : (
            <ProfilePanel profile={profile} identity={integration} lead={`Version ${profile.version}. ${freedomWords[status]}`}>
              {!readOnly && (
                <Group gap="sm" mt="md">
                  {mayEdit(facts) && <Button onClick={() => setEditing(true)}>Edit profile</Button>}
                  <Button variant="default" component={Link} to={`${paths.newIntegration}?${new URLSearchParams({ from: slug })}`}>
                    Duplicate as a new integration
                  </Button>
                </Group>
              )}
            </ProfilePanel>
          )}
          {/* A new logo is a new version, so saving the version that is being edited would be refused. */}
          {!readOnly && !(editing && mayEdit(facts)) && <LogoPanel integration={integration} onChange={readAgain} />}
          <VersionList key={profile.version} slug={slug} current={profile.version} reviewed={facts.reviewedProfileVersion ?? null} />
          <KitPanels profile={profile} service={service} />
          <BusinessModelPanel slug={slug} retired={status === 'retired'} contact={service.supportContact} />
          {!readOnly && (
            <RetirePanel integration={integration} mayRetire={facts.availableActions.includes('retireIntegration')} onRetired={readAgain} />
          )}
        </Stack>
      )}
    </Loaded>
  );
}

function mayEdit({ profileFields }: ProfileFacts['integration']): boolean {
  return profileFields.some(({ revisable }) => revisable);
}
