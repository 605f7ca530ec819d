import { NativeSelect, SimpleGrid, TextInput } from '@mantine/core';
import { useState } from 'react';
import { useMutation } from 'urql';
import { sandboxInSuspension } from '../../../../../server/domain/notification/words/consequences.ts';
import type { AdministeredClient, AdministeredIntegration } from '../../../features/administration/integrationQueries.ts';
import { type Quota, quotaWords } from '../../../features/administration/quotaWords.ts';
import { mailedReasonField, reasonField } from '../../../features/administration/reasonField.ts';
import { recordCommercialAgreementMutation } from '../../../features/business-model/businessModelQuery.ts';
import { useTabDraft } from '../../../features/drafts/useTabDraft.ts';
import { isOver, wasEverActive } from '../../../features/integration/integrationQuery.ts';
import { useFreshPasskey } from '../../../features/passkey/useFreshPasskey.ts';
import { paths } from '../../../paths.ts';
import { ConsequenceDialog, type Refused } from '../../../ui/forms/ConsequenceDialog.tsx';
import { LongText } from '../../../ui/forms/LongText.tsx';
import { ShortText } from '../../../ui/forms/ShortText.tsx';
import { WholeNumberField } from '../../../ui/forms/WholeNumberField.tsx';
import { type RowAction, RowMenu } from '../../../ui/lists/RowMenu.tsx';
import { dayComplaint } from '../../../ui/time/dayComplaint.ts';
import {
  closeIntegrationGateMutation,
  openIntegrationGateMutation,
  reactivateIntegrationMutation,
  retireAnyIntegrationMutation,
  setQuotaOverrideMutation,
  suspendIntegrationMutation,
} from './statusMutations.ts';

type Act = StatusDecision | 'gate' | 'quota' | 'agreement';
type IntegrationActsProps = { integration: AdministeredIntegration; onChanged: () => void };

/** Everything that an administrator can decide about an integration, in one menu. Each act asks first. */
export function IntegrationActs({ integration, onChanged }: IntegrationActsProps) {
  const { productionGate, availableActions, id, profile, clients } = integration;
  const [asked, setAsked] = useState<Act | null>(null);
  const shared = { integration, onChanged, onClose: () => setAsked(null) };
  const retired = isOver(integration);
  const [client, ...others] = clients.toSorted((one, other) => one.environment.localeCompare(other.environment));

  const { retireIntegration: _last, ...first } = statusDecisions;
  const moves = Object.keys(first) as (keyof typeof first)[];

  const act = (label: string, name: Act, tone?: 'danger'): RowAction => ({
    label,
    onSelect: () => setAsked(name),
    ...(tone && { tone }),
  });
  const decision = (name: StatusDecision): RowAction[] =>
    availableActions.includes(name) ? [act(statusDecisions[name].word, name, statusDecisions[name].danger ? 'danger' : undefined)] : [];

  return (
    <>
      <RowMenu
        label="Actions"
        name={profile.publicName}
        actions={[
          ...moves.flatMap(decision),
          ...(productionGate.open || !retired ? [act(productionGate.open ? 'Close the gate' : 'Open the gate', 'gate')] : []),
          ...(retired ? [] : [act('Override a quota', 'quota'), act('Record an agreement', 'agreement')]),
          ...decision('retireIntegration'),
          { label: 'Copy integration ID', copy: id },
          { label: 'Entries in the audit trail', to: auditPathOf(id) },
        ]}
      />
      {asked === 'gate' && <GateDialog {...shared} />}
      {asked === 'quota' && client && <OverrideDialog {...shared} clients={[client, ...others]} />}
      {asked === 'agreement' && (
        <AgreementDialog integrationId={id} name={profile.publicName} onRecorded={onChanged} onClose={shared.onClose} />
      )}
      {asked !== null && asked in statusDecisions && <StatusDialog {...shared} decision={asked as StatusDecision} />}
    </>
  );
}

type GateDialogProps = { integration: AdministeredIntegration; onChanged: () => void; onClose: () => void };

/** Asks before the integration's own production gate is opened or closed. */
function GateDialog({ integration, onChanged, onClose }: GateDialogProps) {
  const { id, slug, profile, productionGate } = integration;
  const [, open] = useMutation(openIntegrationGateMutation);
  const [, close] = useMutation(closeIntegrationGateMutation);
  const confirmed = useFreshPasskey();
  const verb = productionGate.open ? 'Close the gate' : 'Open the gate';

  async function move(reason: string): Promise<string | null> {
    const variables = { input: { integrationId: id, reason } };
    const { error } = await confirmed<object>(() => (productionGate.open ? close(variables) : open(variables)));
    if (error) return error.message;
    onChanged();
    return null;
  }

  return (
    <ConsequenceDialog
      title={`${verb} of ${profile.publicName}?`}
      object={<code>{slug}</code>}
      changes={[
        productionGate.open
          ? 'Production link codes, sync, snapshots, histories and statistics stop with the next request.'
          : 'If the service’s gate is open too, production data flows from the next request of an active integration.',
      ]}
      unchanged={['The status and the quotas stay as they are.', 'The sandbox keeps working.', 'The service’s own gate does not move.']}
      reason={mailedReasonField}
      verb={verb}
      {...(productionGate.open && { tone: 'danger' })}
      onConfirm={move}
      onClose={onClose}
    />
  );
}

const empty = { reference: '', summary: '', validFrom: '', validUntil: '' };

function parseAgreement(stored: unknown): typeof empty | null {
  const found = { ...empty, ...(stored as Partial<typeof empty> | null) };
  return stored !== null && Object.values(found).every((value) => typeof value === 'string') ? found : null;
}

type AgreementDialogProps = { integrationId: string; name: string; onRecorded: () => void; onClose: () => void };

/** Records a written agreement for an integration. */
function AgreementDialog({ integrationId, name: integration, onRecorded, onClose }: AgreementDialogProps) {
  const [, recordCommercialAgreement] = useMutation(recordCommercialAgreementMutation);
  const confirmed = useFreshPasskey();
  const { kept, keep } = useTabDraft(`agreement.${integrationId}`, parseAgreement);
  const values = kept ?? empty;
  const [fields, setFields] = useState<Readonly<Record<string, string>>>({});
  const set = (name: keyof typeof empty) => (event: { currentTarget: { value: string } }) =>
    keep({ ...values, [name]: event.currentTarget.value });
  const field = (name: keyof typeof empty) => ({ value: values[name], error: fields[name], onChange: set(name) });

  async function record(): Promise<Refused | null> {
    const input = { ...values, integrationId, validUntil: values.validUntil || null };
    const { error } = await confirmed(() => recordCommercialAgreement({ input }));
    setFields(error?.fields ?? {});
    if (!error) {
      onRecorded();
      return null;
    }
    return Object.keys(error.fields).length === 0 ? error.message : { reason: '' };
  }

  return (
    <ConsequenceDialog
      title={`Record an agreement for ${integration}?`}
      object="A written agreement that allows more than the standard non-commercial licence."
      changes={['The owner, reviewers and administrators can read it.', 'It cannot be changed later, only withdrawn.']}
      unchanged={['The status, the production gate and the quotas.']}
      verb="Record agreement"
      onConfirm={record}
      onClose={() => {
        keep(null);
        onClose();
      }}
    >
      <ShortText label="Reference" description="Where the written agreement is filed." longest={120} {...field('reference')} />
      <LongText
        label="Summary"
        description="What it allows. The owner reads it."
        longest={2_000}
        minRows={2}
        maxRows={10}
        {...field('summary')}
      />
      <SimpleGrid cols={{ base: 1, sm: 2 }}>
        <TextInput type="date" label="First day" description="Starts at 00:00 UTC." {...field('validFrom')} />
        <TextInput type="date" label="Last day" description="Leave empty for no end date." {...field('validUntil')} />
      </SimpleGrid>
    </ConsequenceDialog>
  );
}

/** What is done elsewhere: by owners, by reviewers, or by the service itself. */
type DoneElsewhere =
  | 'submitForReview'
  | 'withdrawSubmission'
  | 'approveSubmission'
  | 'rejectSubmission'
  | 'activateForProduction'
  | 'suspendForMissedDeletion';
type StatusDecision = Exclude<AdministeredIntegration['availableActions'][number], DoneElsewhere>;
type DecisionWords = { word: string; danger: boolean; changes: readonly string[]; unchanged: readonly string[] };

/** What an administrator may decide about the status of an integration. */
const statusDecisions: Readonly<Record<StatusDecision, DecisionWords>> = {
  suspendIntegration: {
    word: 'Suspend',
    danger: true,
    changes: ['Production calls are refused from the next request on, including on open connections.', sandboxInSuspension],
    unchanged: ['The production gate and the quotas stay as they are.', 'Deletion deadlines keep running.'],
  },
  reactivateIntegration: {
    word: 'Reactivate',
    danger: false,
    changes: ['Production access resumes with the next request.'],
    unchanged: ['The production gate and the quotas stay as they are.', 'Deletion deadlines keep running.'],
  },
  retireIntegration: {
    word: 'Retire',
    danger: true,
    changes: [
      'Its certificates and production connections are revoked, and its test data is removed.',
      'Its slug is never used again.',
      'This cannot be undone.',
    ],
    unchanged: ['Deletion deadlines keep running.'],
  },
};

const activatesForOwner = [
  'Its owner has never activated it: you activate it in their place. Your reason should say why; the mail to the owner says that an administrator did it.',
  'Production access starts with the next request.',
];

function wasNeverActive(integration: AdministeredIntegration): boolean {
  return integration.reviewedProfileVersion !== null && !wasEverActive(integration);
}

type StatusDialogProps = { integration: AdministeredIntegration; decision: StatusDecision; onChanged: () => void; onClose: () => void };

/** Asks before the status of an integration is decided. */
function StatusDialog({ integration, decision, onChanged, onClose }: StatusDialogProps) {
  const [, suspend] = useMutation(suspendIntegrationMutation);
  const [, reactivate] = useMutation(reactivateIntegrationMutation);
  const [, retire] = useMutation(retireAnyIntegrationMutation);
  const confirmed = useFreshPasskey();
  const { word, danger, changes, unchanged } = statusDecisions[decision];
  const inPlaceOfOwner = decision === 'reactivateIntegration' && wasNeverActive(integration);
  const mutations = { suspendIntegration: suspend, reactivateIntegration: reactivate, retireIntegration: retire };

  async function decide(reason: string): Promise<string | null> {
    const input = { integrationId: integration.id, reason };
    const { error } = await confirmed<object>(() =>
      inPlaceOfOwner ? reactivate({ input: { ...input, inPlaceOfOwner } }) : mutations[decision]({ input }),
    );
    if (error) return error.message;
    onChanged();
    return null;
  }

  return (
    <ConsequenceDialog
      title={`${word} ${integration.profile.publicName}?`}
      object={<code>{integration.slug}</code>}
      changes={inPlaceOfOwner ? activatesForOwner : changes}
      unchanged={unchanged}
      reason={mailedReasonField}
      verb={`${word} integration`}
      {...(danger && { tone: 'danger' })}
      onConfirm={decide}
      onClose={onClose}
    />
  );
}

type OverrideDialogProps = {
  integration: AdministeredIntegration;
  clients: readonly [AdministeredClient, ...AdministeredClient[]];
  onClose: () => void;
  onChanged: () => void;
};

/** Sets another value for one quota of a client. */
function OverrideDialog({ integration, clients, onClose, onChanged }: OverrideDialogProps) {
  const [, setQuotaOverride] = useMutation(setQuotaOverrideMutation);
  const confirmed = useFreshPasskey();
  const [clientId, setClientId] = useState(clients[0].id);
  const [quota, setQuota] = useState<Quota>('requests_per_hour');
  const [value, setValue] = useState<number | string>('');
  const [until, setUntil] = useState('');
  const [fields, setFields] = useState<Readonly<Record<string, string>>>({});

  async function set(reason: string): Promise<Refused | null> {
    const wrongDay = dayComplaint(until);
    if (wrongDay) {
      setFields({ expiresAt: wrongDay });
      return { reason: '' };
    }
    const expiresAt = until === '' ? null : `${until}T23:59:59.000Z`;
    const { error } = await confirmed(() => setQuotaOverride({ input: { clientId, quota, value: Number(value), reason, expiresAt } }));
    setFields(error?.fields ?? {});
    if (!error) {
      onChanged();
      return null;
    }
    return Object.keys(error.fields).length === 0 ? error.message : { reason: error.fields['reason'] ?? '' };
  }

  return (
    <ConsequenceDialog
      title={`Override a quota of ${integration.profile.publicName}?`}
      object={<code>{integration.slug}</code>}
      changes={['The value applies from the next request and appears in GET /v1/capabilities.']}
      unchanged={['All other quotas, and those of the other client.', 'The status and the production gate.']}
      reason={reasonField}
      verb="Set override"
      waiting={value === ''}
      onConfirm={set}
      onClose={onClose}
    >
      <NativeSelect
        label="Client"
        value={clientId}
        onChange={(event) => setClientId(event.currentTarget.value)}
        data={clients.map(({ id, environment }) => ({
          value: id,
          label: `${environment === 'sandbox' ? 'Sandbox' : 'Production'}, ${id}`,
        }))}
      />
      <NativeSelect
        label="Quota"
        value={quota}
        onChange={(event) => setQuota(event.currentTarget.value as Quota)}
        data={Object.entries(quotaWords)
          .filter(([name]) => name !== 'unknown')
          .map(([name, label]) => ({ value: name, label }))}
      />
      <WholeNumberField label="Value" required value={value} onChange={setValue} error={fields['value']} />
      <TextInput
        label="Until the end of (UTC)"
        description="Leave empty to keep it until it is withdrawn."
        type="date"
        value={until}
        onChange={(event) => setUntil(event.currentTarget.value)}
        error={fields['expiresAt']}
      />
    </ConsequenceDialog>
  );
}

/** The entries of the audit trail about an integration. */
export function auditPathOf(integrationId: string): string {
  return `${paths.adminAudit}?way=integration&search=${integrationId}`;
}
