import { Alert, Anchor, Code, Stack, Text } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { Link, useParams } from 'react-router';
import { useMutation, useQuery } from 'urql';
import { integrationActFacts } from '../../../../../server/domain/audit/integrationActFacts.ts';
import { integrationFacts, phaseFacts } from '../../../../../server/domain/integration/integrationFacts.ts';
import {
  type AdministeredIntegration,
  anyIntegrationQuery,
  type Decision,
  type OutstandingDeletions,
} from '../../../features/administration/integrationQueries.ts';
import { OperatorLink } from '../../../features/administration/OperatorLink.tsx';
import { reasonField } from '../../../features/administration/reasonField.ts';
import { actionWords, actorTypeWords } from '../../../features/audit/auditWords.ts';
import { AgreementTable } from '../../../features/business-model/AgreementTable.tsx';
import {
  type Agreement,
  type BusinessModel,
  withdrawCommercialAgreementMutation,
} from '../../../features/business-model/businessModelQuery.ts';
import { ReportTable } from '../../../features/business-model/ReportTable.tsx';
import { countryName } from '../../../features/integration/countries.ts';
import { IntegrationFrame } from '../../../features/integration/IntegrationFrame.tsx';
import { isOver } from '../../../features/integration/integrationQuery.ts';
import { lookingAsOwner, OwnerViewContext } from '../../../features/integration/ownerView.ts';
import { useFreshPasskey } from '../../../features/passkey/useFreshPasskey.ts';
import { integrationPaths, paths } from '../../../paths.ts';
import { ConsequenceDialog } from '../../../ui/forms/ConsequenceDialog.tsx';
import { Columns } from '../../../ui/layout/Columns.tsx';
import { PageHeader } from '../../../ui/layout/PageHeader.tsx';
import { Panel } from '../../../ui/layout/Panel.tsx';
import { Loaded } from '../../../ui/states/Loaded.tsx';
import { Time } from '../../../ui/time/Time.tsx';
import { Timeline, type TimelineEntry } from '../../../ui/time/Timeline.tsx';
import { Address } from '../../../ui/values/Address.tsx';
import { Facts } from '../../../ui/values/Facts.tsx';
import { Identifier } from '../../../ui/values/Identifier.tsx';
import type { StatusTone } from '../../../ui/values/statusTone.ts';
import { ClientsPanel } from './ClientsPanel.tsx';
import { auditPathOf, IntegrationActs } from './IntegrationActs.tsx';

/** Any integration, with what administrators can decide about it, and the way to its pages as its owner sees them. */
export function Component() {
  const { slug = '' } = useParams();
  const [result, read] = useQuery({ query: anyIntegrationQuery, variables: { slug }, requestPolicy: 'cache-and-network' });
  const reread = () => read({ requestPolicy: 'network-only' });
  return (
    <Loaded whole result={result} onRetry={reread}>
      {({ anyIntegration: { integration, own, owner, deletions, decisions } }) => {
        const parts = (
          <Columns
            still
            side={
              <>
                <OwnerPanel integration={integration} owner={owner} />
                <Decisions integrationId={integration.id} decisions={decisions} />
              </>
            }
          >
            <AccessPanel integration={integration} deletions={deletions} />
            <ClientsPanel integration={integration} fixed={own || isOver(integration)} onChanged={reread} />
            <AgreementPanel name={integration.profile.publicName} businessModel={integration} own={own} onChanged={reread} />
          </Columns>
        );
        return own ? (
          <Own integration={integration}>{parts}</Own>
        ) : (
          <OwnerViewContext value={lookingAsOwner}>
            <IntegrationFrame integration={integration} actions={<IntegrationActs integration={integration} onChanged={reread} />}>
              {parts}
            </IntegrationFrame>
          </OwnerViewContext>
        );
      }}
    </Loaded>
  );
}

/** An administrator's own integration: it is only looked at here. */
function Own({ integration: { slug, profile }, children }: { integration: AdministeredIntegration; children: ReactNode }) {
  return (
    <>
      <PageHeader title={profile.publicName} documentTitle={`${profile.publicName} (administration)`} />
      <Alert variant="light" title="This integration is yours" role="note" mb="md">
        You cannot administer your own integration. Its status, gate, quotas and agreements are up to another administrator, or to the
        server’s terminal with <Code>oi admin</Code>.{' '}
        <Anchor component={Link} to={integrationPaths(slug).overview()} inherit>
          View it as its owner
        </Anchor>
      </Alert>
      {children}
    </>
  );
}

type OwnerPanelProps = { integration: AdministeredIntegration; owner: { readonly id: string; readonly email: string | null } };

/** Whose integration it is, and whom to write to. */
function OwnerPanel({ integration, owner }: OwnerPanelProps) {
  const { id, slug, createdAt, reviewedProfileVersion, profile } = integration;
  return (
    <Panel title="Owner and contacts">
      <Facts
        facts={[
          [
            'Owner',
            <Anchor key="owner" component={Link} to={paths.adminOperator(owner.id)} inherit>
              {owner.email === null ? 'A deleted account' : <Address value={owner.email} />}
            </Anchor>,
          ],
          ['Legal operator', `${profile.legalOperatorName}, ${countryName(profile.country)}`],
          [
            'Support',
            <Anchor key="support" href={`mailto:${profile.supportEmail}`} inherit>
              <Address value={profile.supportEmail} />
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

/** How each kind of decision is marked. */
const tones: Readonly<Record<string, StatusTone | null>> = {
  ...Object.fromEntries(Object.entries(integrationActFacts).map(([action, { decision }]) => [action, decision])),
  'quota_override.set': 'neutral',
  'quota_override.withdrawn': 'neutral',
  'commercial_agreement.recorded': 'neutral',
  'commercial_agreement.withdrawn': 'stopped',
};
type DecisionsProps = { integrationId: string; decisions: readonly Decision[] };

/** What was decided last about the integration. The audit trail has everything. */
function Decisions({ integrationId, decisions }: DecisionsProps) {
  return (
    <Panel title="Decisions">
      {decisions.length === 0 ? (
        <Text size="sm" c="dimmed">
          Nothing has been decided about this integration.
        </Text>
      ) : (
        <Timeline label="Decisions" entries={decisions.map(entryOf)} />
      )}
      <Text size="sm" mt="sm">
        <Anchor component={Link} to={auditPathOf(integrationId)} inherit>
          Entries about this integration
        </Anchor>
      </Text>
    </Panel>
  );
}

function entryOf({ id, action, occurredAt, actorType, actorId, actorName }: Decision): TimelineEntry {
  return {
    key: id,
    tone: tones[action] ?? 'neutral',
    what: actionWords(action),
    at: occurredAt,
    by: actorType === 'operator' && actorId ? <OperatorLink id={actorId} name={actorName} /> : (actorTypeWords[actorType] ?? actorType),
  };
}

type AgreementPanelProps = { name: string; businessModel: BusinessModel; own: boolean; onChanged: () => void };

/** The business model as administrators see it: what the owner has reported, and the agreements, which are withdrawn here. */
function AgreementPanel({ name, businessModel: { businessModelReports, commercialAgreements }, own, onChanged }: AgreementPanelProps) {
  const [, withdrawCommercialAgreement] = useMutation(withdrawCommercialAgreementMutation);
  const confirmed = useFreshPasskey();
  const [withdrawn, setWithdrawn] = useState<Agreement | null>(null);

  async function withdraw(agreementId: string, reason: string): Promise<string | null> {
    const { error } = await confirmed(() => withdrawCommercialAgreement({ input: { agreementId, reason } }));
    if (error) return error.message;
    onChanged();
    return null;
  }

  return (
    <Panel title="Business model">
      {businessModelReports.length === 0 && commercialAgreements.length === 0 ? (
        <Text size="sm" c="dimmed">
          No changes have been reported, and there is no agreement, so the standard non-commercial licence applies.
        </Text>
      ) : (
        <Stack gap="sm">
          <ReportTable reports={businessModelReports} />
          <AgreementTable agreements={commercialAgreements} {...(!own && { onWithdraw: setWithdrawn })} />
        </Stack>
      )}
      {withdrawn && (
        <ConsequenceDialog
          title="Withdraw this agreement?"
          object={`${withdrawn.reference}, for ${name}`}
          changes={['The standard non-commercial licence applies from now on.']}
          unchanged={['The record remains visible, marked as withdrawn.', 'The status, the production gate and the quotas.']}
          reason={reasonField}
          verb="Withdraw agreement"
          tone="danger"
          onConfirm={(reason) => withdraw(withdrawn.id, reason)}
          onClose={() => setWithdrawn(null)}
        />
      )}
    </Panel>
  );
}

/** The integration's status and its own gate, which together with the service's gate decide whether production data flows. */
function AccessPanel({ integration, deletions }: { integration: AdministeredIntegration; deletions: OutstandingDeletions }) {
  const { status, statusReason, statusChangedAt, createdAt, productionGate: gate } = integration;
  return (
    <Panel title="Access">
      <Facts
        facts={[
          ['Status', <Since key="status" word={integrationFacts[status].word} at={statusChangedAt ?? createdAt} reason={statusReason} />],
          ['Production gate', <Since key="gate" word={gate.open ? 'Open' : 'Closed'} at={gate.changedAt} reason={gate.reason} />],
          ['Production data', <ProductionData key="data" integration={integration} />],
          ['Outstanding deletions', deletionWords(deletions)],
        ]}
      />
    </Panel>
  );
}

function Since({ word, at, reason }: { word: string; at: string | null; reason: string | null }) {
  return (
    <>
      {word}
      {at && (
        <>
          {' '}
          since <Time value={at} form="date" />
        </>
      )}
      . {reason ? `Reason: ${reason}` : 'No reason was given.'}
    </>
  );
}

function ProductionData({ integration: { productionDataEnabled, productionGate, status } }: { integration: AdministeredIntegration }) {
  if (productionDataEnabled) {
    return phaseFacts[integrationFacts[status].production].calls === 'yes'
      ? 'Enabled: both gates are open'
      : 'None: both gates are open, but the integration is not active';
  }
  return (
    <>
      Not enabled: {productionGate.open ? 'the service’s gate is closed' : 'this gate is closed'}.{' '}
      <Anchor component={Link} to={paths.adminGate} inherit>
        View the service’s gate
      </Anchor>
    </>
  );
}

function deletionWords({ outstanding, overdue }: OutstandingDeletions): string {
  if (outstanding === 0) return 'None in production';
  return overdue === 0 ? `${outstanding} in production, none overdue` : `${outstanding} in production, ${overdue} of them overdue`;
}
