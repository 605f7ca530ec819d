import { Button, Text } from '@mantine/core';
import { useState } from 'react';
import { useMutation } from 'urql';
import { ScopeList } from '../scopes/ScopeList.tsx';
import { useFreshPasskey } from '../passkey/useFreshPasskey.ts';
import { Identifier } from '../../ui/values/Identifier.tsx';
import { EmptyState } from '../../ui/states/EmptyState.tsx';
import { EnvironmentTag } from '../../ui/values/EnvironmentTag.tsx';
import { Facts } from '../../ui/values/Facts.tsx';
import { Panel } from '../../ui/layout/Panel.tsx';
import { Time } from '../../ui/time/Time.tsx';
import type { AdministeredClient } from './integrationQueries.ts';
import { OverrideDialog } from './OverrideDialog.tsx';
import { OverrideTable } from './OverrideTable.tsx';
import { quotaWords, type Quota } from './quotaWords.ts';
import { ReasonDialog } from './ReasonDialog.tsx';
import { withdrawQuotaOverrideMutation } from './statusMutations.ts';

type AdministeredClientPanelProps = {
  client: AdministeredClient;
  /** Whether its quotas are fixed, as they are for the reader's own integrations and for retired ones. */
  fixed: boolean;
  onChanged: () => void;
};

/** One client: when it last called, and which of its quotas differ from the baseline. */
export function AdministeredClientPanel({ client, fixed, onChanged }: AdministeredClientPanelProps) {
  const [, withdrawQuotaOverride] = useMutation(withdrawQuotaOverrideMutation);
  const confirmed = useFreshPasskey();
  const [asked, setAsked] = useState<Quota | 'new' | null>(null);

  async function withdraw(quota: Quota, reason: string): Promise<string | null> {
    const { error } = await confirmed(() => withdrawQuotaOverride({ input: { clientId: client.id, quota, reason } }));
    if (error) return error.message;
    onChanged();
    return null;
  }

  return (
    <Panel title="Client" name={`Client, ${client.environment}`} marks={<EnvironmentTag environment={client.environment} />}>
      <Facts
        facts={[
          ['Client ID', <Identifier key="id" value={client.id} label="the client ID" />],
          ['Last request', client.lastRequestAt ? <Time key="request" value={client.lastRequestAt} /> : 'Never'],
          ['Last sync', client.lastSyncAt ? <Time key="sync" value={client.lastSyncAt} /> : 'Never'],
          ['Scopes', <ScopeList key="scopes" scopes={client.scopes} />],
        ]}
      />
      {client.quotaOverrides.length === 0 ? (
        <EmptyState kind="nothingYet" title="All quotas are at their baseline." />
      ) : (
        <OverrideTable client={client} onWithdraw={fixed ? null : setAsked} />
      )}
      {!fixed && (
        <Button variant="default" mt="md" onClick={() => setAsked('new')}>
          Override a quota
        </Button>
      )}
      {asked === 'new' && <OverrideDialog client={client} onClose={() => setAsked(null)} onChanged={onChanged} />}
      {asked !== null && asked !== 'new' && (
        <ReasonDialog
          title="Withdraw this override?"
          confirm="Withdraw override"
          onConfirm={(reason) => withdraw(asked, reason)}
          onClose={() => setAsked(null)}
        >
          <Text style={{ overflowWrap: 'anywhere' }}>
            {quotaWords[asked]}, for <code>{client.id}</code> in {client.environment === 'sandbox' ? 'the sandbox' : 'production'}: the
            baseline applies again from the next request.
          </Text>
        </ReasonDialog>
      )}
    </Panel>
  );
}
