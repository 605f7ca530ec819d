import { Anchor, Button, Stack, Text } from '@mantine/core';
import { Link } from 'react-router';
import { certificateFacts } from '../../../../../server/domain/certificate/certificateFacts.ts';
import { paths } from '../../../paths.ts';
import { Panel } from '../../../ui/layout/Panel.tsx';
import { counted } from '../../../ui/text/counted.ts';
import { Time } from '../../../ui/time/Time.tsx';
import { ContactLink } from '../../../ui/values/ContactLink.tsx';
import { CopyableCode } from '../../../ui/values/CopyableCode.tsx';
import { EnvironmentTag } from '../../../ui/values/EnvironmentTag.tsx';
import { Facts } from '../../../ui/values/Facts.tsx';
import { productionClient, type Integration } from '../../../features/integration/integrationQuery.ts';
import { useIntegrationPaths, useReadOnly } from '../../../features/integration/ownerView.ts';
import { ScopeList } from '../../../features/scopes/ScopeList.tsx';
import type { Service } from '../../../features/integration/useIntegration.ts';

/** The step of an active integration that has no certificate to call with. */
export function CertificateStep({ integration }: { integration: Integration }) {
  const to = useIntegrationPaths();
  const pending =
    productionClient(integration)?.certificatesInUse.some(({ status }) => certificateFacts[status].stage === 'pending') ?? false;
  return (
    <Panel
      title={pending ? 'Your production certificate is being issued' : 'Get a production certificate'}
      marks={<EnvironmentTag environment="production" />}
      lead={
        pending
          ? 'This takes a few seconds. You can then download it.'
          : 'The integration is active but has no certificate to call with. Create a new key: sandbox and production never share one.'
      }
    >
      <Button component={Link} to={to.certificates({ environment: 'production' })} w="fit-content">
        Go to certificates
      </Button>
    </Panel>
  );
}

/** What is live and since when. */
export function LivePanel({ integration, since }: { integration: Integration; since: string | null }) {
  const client = productionClient(integration);
  return (
    <Panel
      title="Live"
      marks={<EnvironmentTag environment="production" />}
      lead={
        <>
          {since === null ? (
            'Both gates are open.'
          ) : (
            <>
              Both gates are open; the last step was done <Time value={since} />.
            </>
          )}{' '}
          Only description, support email, donation page and plans can change without another review.
        </>
      }
    >
      <Facts
        facts={[
          ['Reviewed profile', `Version ${integration.reviewedProfileVersion}`],
          ...(client
            ? ([
                ['Scopes', <ScopeList key="scopes" scopes={client.scopes} />],
                ['Client ID', <CopyableCode key="id" value={client.id} label="the production client ID" />],
              ] as const)
            : []),
        ]}
      />
    </Panel>
  );
}

/** Why production is stopped, since when, and whom to ask. */
export function SuspendedPanel({ integration, contact }: { integration: Integration; contact: Service['supportContact'] }) {
  const to = useIntegrationPaths();
  const { statusReason, statusChangedAt, outstandingDeletions } = integration;
  return (
    <Panel title="Suspended" marks={<EnvironmentTag environment="production" />}>
      <Stack gap="sm">
        <Text>
          {statusReason ? 'An administrator suspended the integration' : 'The integration was suspended'}
          {statusChangedAt && (
            <>
              {' '}
              <Time value={statusChangedAt} />
            </>
          )}
          {statusReason ? `. Reason: ${statusReason}` : ', because a deletion was not acknowledged in time.'}
        </Text>
        <Text fw={600}>
          {statusReason ? 'Resolve the reason' : 'Record what is overdue'}, then contact <ContactLink contact={contact} /> to be
          reactivated.
        </Text>
        <Text size="sm">
          Every production call returns 403 integration_suspended. The sandbox and this portal keep working, and deletion deadlines still
          apply. Nothing is lost: your cursor stays valid, and access returns with the next request once an administrator reactivates the
          integration.
        </Text>
        {outstandingDeletions.outstanding > 0 && (
          <Anchor component={Link} to={to.deletions({ environment: 'production' })} inherit>
            Record{' '}
            {outstandingDeletions.outstanding === 1
              ? 'the outstanding deletion'
              : `the ${counted(outstandingDeletions.outstanding, 'outstanding deletion')}`}
          </Anchor>
        )}
      </Stack>
    </Panel>
  );
}

/** That it is over. */
export function RetiredPanel({ integration }: { integration: Integration }) {
  const readOnly = useReadOnly();
  const { slug, statusChangedAt } = integration;
  return (
    <Panel title="Retired for good">
      <Stack gap="sm">
        <Text>
          The integration was retired
          {statusChangedAt && (
            <>
              {' '}
              <Time value={statusChangedAt} />
            </>
          )}
          . This is final: every call is refused, and nobody can use the slug <code>{slug}</code> again.
        </Text>
        {!readOnly && (
          <Anchor component={Link} to={`${paths.newIntegration}?${new URLSearchParams({ from: slug })}`} inherit>
            Duplicate it as a new integration
          </Anchor>
        )}
      </Stack>
    </Panel>
  );
}
