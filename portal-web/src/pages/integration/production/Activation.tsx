import { Anchor, Button, Group, List, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { Link } from 'react-router';
import { useMutation } from 'urql';
import { certificateFacts } from '../../../../../server/domain/certificate/certificateFacts.ts';
import { minorFieldWords } from '../../../../../server/domain/integration/profile/profileFields.ts';
import { sandboxInSuspension } from '../../../../../server/domain/notification/words/consequences.ts';
import { type Integration, productionClient } from '../../../features/integration/integrationQuery.ts';
import { useIntegrationPaths, useReadOnly } from '../../../features/integration/ownerView.ts';
import type { Service } from '../../../features/integration/useIntegration.ts';
import { useFreshPasskey } from '../../../features/passkey/useFreshPasskey.ts';
import { ScopeList } from '../../../features/scopes/ScopeList.tsx';
import { useSession } from '../../../features/session/SessionContext.ts';
import { graphql } from '../../../graphql/graphql.ts';
import { paths } from '../../../paths.ts';
import { ConsequenceDialog } from '../../../ui/forms/ConsequenceDialog.tsx';
import { Panel } from '../../../ui/layout/Panel.tsx';
import { Time } from '../../../ui/time/Time.tsx';
import { ContactLink } from '../../../ui/values/ContactLink.tsx';
import { EnvironmentTag } from '../../../ui/values/EnvironmentTag.tsx';
import { Facts } from '../../../ui/values/Facts.tsx';
import { Identifier } from '../../../ui/values/Identifier.tsx';
import classes from './production.module.css';
import { TermsLink } from './TermsLink.tsx';

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

type LivePanelProps = { integration: Integration; live: boolean; since: string | null };

/** What is active, and since when data can flow, unless a gate is still closed. */
export function LivePanel({ integration, live, since }: LivePanelProps) {
  const client = productionClient(integration);
  return (
    <Panel
      title={live ? 'Live' : 'Waiting for the gates'}
      marks={<EnvironmentTag environment="production" />}
      lead={
        <>
          {!live ? (
            'Your part is done; data flows once both gates are open.'
          ) : since === null ? (
            'Both gates are open.'
          ) : (
            <>
              Both gates are open; the last step was done <Time value={since} />.
            </>
          )}{' '}
          Only {minorFieldWords} can change without another review.
        </>
      }
    >
      <Facts
        facts={[
          ['Reviewed profile', `Version ${integration.reviewedProfileVersion}`],
          ...(client
            ? ([
                ['Scopes', <ScopeList key="scopes" scopes={client.scopes} />],
                ['Client ID', <Identifier key="id" value={client.id} label="the production client ID" />],
              ] as const)
            : []),
        ]}
      />
    </Panel>
  );
}

/** Why production is stopped, and whom to ask. Since when stands at the step above. */
export function SuspendedPanel({ integration, contact }: { integration: Integration; contact: Service['supportContact'] }) {
  const to = useIntegrationPaths();
  const readOnly = useReadOnly();
  const { statusReason, outstandingDeletions } = integration;
  // What ends the suspension comes first: where somebody decided it, no deletion does.
  const contactSupport = (
    <Button key="contact" component="a" href={contact.url} variant={statusReason ? 'filled' : 'default'}>
      Contact support
    </Button>
  );
  const toDeletions = outstandingDeletions.outstanding > 0 && (
    <Button key="deletions" component={Link} to={to.deletions({ environment: 'production' })} variant={statusReason ? 'default' : 'filled'}>
      Go to deletions
    </Button>
  );
  return (
    <div className={classes.pair}>
      {/* The badge and the step say that it is suspended, and its name says it to those who hear the panel alone. */}
      <Panel
        title="How to get reactivated"
        name="Suspended: how to get reactivated"
        tone="bad"
        marks={<EnvironmentTag environment="production" />}
      >
        <Stack gap="sm">
          <Text>{statusReason ? `Reason: ${statusReason}` : 'A deletion was not acknowledged in time.'}</Text>
          <Text fw={650}>
            {statusReason ? 'Resolve it' : 'Record what is overdue'}, then contact <ContactLink contact={contact} /> to be reactivated.
          </Text>
          {!readOnly && <Group gap="sm">{statusReason ? [contactSupport, toDeletions] : [toDeletions, contactSupport]}</Group>}
        </Stack>
      </Panel>
      <Panel title="Until then">
        <List size="sm" spacing="xs">
          <List.Item>
            Every production call returns 403 <code>integration_suspended</code>. You can still use this portal.
          </List.Item>
          <List.Item>{sandboxInSuspension}</List.Item>
          <List.Item>Deletion deadlines still apply.</List.Item>
          <List.Item>
            Nothing is lost: your cursor stays valid, and access returns with the next request once an administrator reactivates the
            integration.
          </List.Item>
        </List>
      </Panel>
    </div>
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
          . This is final: every call is refused, and the slug <code>{slug}</code> is never used again.
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

const activateForProductionMutation = graphql(`
  mutation ActivateForProduction($input: ActivateForProductionInput!) {
    activateForProduction(input: $input) {
      id
      status
    }
  }
`);

type ActivationPanelProps = { integration: Integration; onActivated: () => void };

/**
 * What was approved, and the button with which the owner activates exactly that. Shows nothing before an approval.
 */
export function ActivationPanel({ integration, onActivated }: ActivationPanelProps) {
  const to = useIntegrationPaths();
  const readOnly = useReadOnly();
  const [asking, setAsking] = useState(false);
  const client = productionClient(integration);
  const { reviewedProfileVersion, availableActions } = integration;
  if (!client || reviewedProfileVersion === null) return null;
  const open = !readOnly && availableActions.includes('activateForProduction');
  const usable = client.certificatesInUse.some((certificate) => certificateFacts[certificate.status].stage === 'working');
  return (
    <Panel
      title="Activation"
      marks={<EnvironmentTag environment="production" />}
      lead="The reviewers approved this version with these scopes. Activate it to go live."
    >
      <Stack gap="md">
        <Facts
          facts={[
            ['Reviewed profile', `Version ${reviewedProfileVersion}`],
            ['Scopes', <ScopeList key="scopes" scopes={client.scopes} />],
            ['Client ID', <Identifier key="id" value={client.id} label="the production client ID" />],
            [
              'Certificate',
              <span key="certificate">
                {usable ? 'Issued.' : 'None yet.'}{' '}
                <Anchor component={Link} to={to.certificates({ environment: 'production' })} inherit>
                  {usable ? 'Production certificates' : 'Get a production certificate'}
                </Anchor>
              </span>,
            ],
          ]}
        />
        {open && (
          <Button w="fit-content" onClick={() => setAsking(true)}>
            Activate for production
          </Button>
        )}
      </Stack>
      {asking && (
        <ActivationDialog
          integration={integration}
          version={reviewedProfileVersion}
          onClose={() => setAsking(false)}
          onActivated={onActivated}
        />
      )}
    </Panel>
  );
}

type ActivationDialogProps = { integration: Integration; version: number; onClose: () => void; onActivated: () => void };

function ActivationDialog({ integration: { id, profile, slug }, version, onClose, onActivated }: ActivationDialogProps) {
  const [, activateForProduction] = useMutation(activateForProductionMutation);
  const confirmed = useFreshPasskey();
  const { refresh } = useSession();

  async function activate() {
    const { error } = await confirmed(() => activateForProduction({ input: { integrationId: id, profileVersion: version } }));
    if (error) {
      refresh();
      return error.message;
    }
    onActivated();
    return null;
  }

  return (
    <ConsequenceDialog
      title={`Activate ${profile.publicName}?`}
      object={
        <>
          Version {version} of the profile of <strong>{profile.publicName}</strong>, <code>{slug}</code>
        </>
      }
      changes={['It becomes eligible for the app’s catalogue.', 'Your production certificate is accepted.']}
      unchanged={[
        'The production gate does not open. Data is available once an administrator opens it.',
        'The sandbox and its certificates work as before.',
      ]}
      takesEffect="This takes effect immediately. You will be asked for your passkey."
      verb="Activate"
      onConfirm={activate}
      onClose={onClose}
    >
      <TermsLink />
    </ConsequenceDialog>
  );
}
