import { Button, Group, Stack } from '@mantine/core';
import { useState, type ReactNode } from 'react';
import { Link, useLocation } from 'react-router';
import { useQuery } from 'urql';
import { isOver } from '../../features/integration/integrationQuery.ts';
import { BusinessModelPanel } from '../../features/business-model/BusinessModelPanel.tsx';
import { businessModelPart, businessModelQuery } from '../../features/business-model/businessModelQuery.ts';
import { ProfilePanel } from '../../features/integration/ProfilePanel.tsx';
import { useReadOnly } from '../../features/integration/ownerView.ts';
import { useIntegration } from '../../features/integration/useIntegration.ts';
import { KitPanels } from '../../features/kit/KitPanels.tsx';
import { LogoPanel } from '../../features/logo/LogoPanel.tsx';
import { freedomWords } from '../../features/profile/freedom.ts';
import { ProfileForm } from '../../features/profile/ProfileForm.tsx';
import { profilePart, profileQuery, type ProfileFacts } from '../../features/profile/profileQueries.ts';
import { RetirePanel } from '../../features/profile/RetirePanel.tsx';
import { VersionList } from '../../features/profile/VersionList.tsx';
import { paths } from '../../paths.ts';
import { Columns } from '../../ui/layout/Columns.tsx';
import { Fold } from '../../ui/layout/Fold.tsx';
import { usePlace } from '../../ui/lists/usePlace.ts';
import { Loaded } from '../../ui/states/Loaded.tsx';
import { counted } from '../../ui/text/counted.ts';
import { graphql } from '../../graphql/graphql.ts';
import { share } from '../../graphql/questions.ts';
import { tabLoader } from '../../features/integration/tabLoader.ts';

const pageQuery = graphql(
  `
    query ProfilePage($slug: String!) {
      ...ProfilePart
      ...BusinessModelPart
    }
  `,
  [profilePart, businessModelPart],
);

export const loader = tabLoader(({ ask, slug }) =>
  ask(
    pageQuery,
    { slug },
    share(profileQuery, { slug }, ({ integration }) => ({ integration })),
    share(businessModelQuery, { slug }, ({ integration }) => ({ integration })),
  ),
);

/** The integration's profile: the current version, and a form to change it. What is written once and read later is folded below it. */
export function Component() {
  const { integration, service, reread } = useIntegration();
  const { slug, status, profile } = integration;
  const readOnly = useReadOnly();
  const [result, read] = useQuery({ query: profileQuery, variables: { slug } });
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
    <Loaded result={result} onRetry={() => read({ requestPolicy: 'network-only' })}>
      {({ integration: facts }) => (
        <Stack gap="lg">
          {editing && mayEdit(facts) ? (
            // A new logo is a new version, so saving the version that is being edited would be refused.
            <ProfileForm
              {...{ integration, service }}
              fields={facts.profileFields}
              onClose={() => setEditing(false)}
              onSaved={saved}
              onStale={readAgain}
            />
          ) : (
            <WithLogo logo={readOnly ? null : <LogoPanel integration={integration} onChange={readAgain} />}>
              <ProfilePanel
                // Advice about scopes that can never be used again helps nobody.
                profile={isOver(integration) ? { ...profile, scopeWarnings: [] } : profile}
                identity={integration}
                lead={`Version ${profile.version}. ${freedomWords[status]}`}
              >
                {!readOnly && (
                  <Group gap="sm" mt="md">
                    {mayEdit(facts) && <Button onClick={() => setEditing(true)}>Edit profile</Button>}
                    <Button variant="default" component={Link} to={`${paths.newIntegration}?${new URLSearchParams({ from: slug })}`}>
                      Duplicate as a new integration
                    </Button>
                  </Group>
                )}
              </ProfilePanel>
            </WithLogo>
          )}
          <div>
            <Versions slug={slug} current={profile.version} reviewed={facts.reviewedProfileVersion ?? null} />
            <Kit>
              <KitPanels profile={profile} service={service} />
            </Kit>
            <Fold summary="Business model: agreements and reports">
              <BusinessModelPanel slug={slug} retired={isOver(integration)} contact={service.supportContact} />
            </Fold>
            {!readOnly && !isOver(integration) && (
              <Fold summary="Retire this integration for good">
                <RetirePanel
                  integration={integration}
                  mayRetire={facts.availableActions.includes('retireIntegration')}
                  onRetired={readAgain}
                />
              </Fold>
            )}
          </div>
        </Stack>
      )}
    </Loaded>
  );
}

function WithLogo({ logo, children }: { logo: ReactNode; children: ReactNode }) {
  return logo === null ? (
    children
  ) : (
    <Columns side={logo} still>
      {children}
    </Columns>
  );
}

/** Every version, read once they are unfolded. An address that leads to a page of them unfolds them. */
function Versions({ current, ...rest }: { slug: string; current: number; reviewed: number | null }) {
  const place = usePlace('versions');
  const [open, setOpen] = useState(place.after !== null);
  return (
    <Fold summary={`All versions: ${counted(current, 'version')}`} open={open} onOpen={() => setOpen(true)}>
      {open && <VersionList key={current} current={current} {...rest} />}
    </Fold>
  );
}

/** What goes onto the operator's own pages. An address that ends in #kit unfolds it. */
function Kit({ children }: { children: ReactNode }) {
  const [open] = useState(useLocation().hash === '#kit');
  return (
    <Fold summary="For your own pages: credit, badge and linking page" open={open}>
      {children}
    </Fold>
  );
}

function mayEdit({ profileFields }: ProfileFacts['integration']): boolean {
  return profileFields.some(({ revisable }) => revisable);
}
