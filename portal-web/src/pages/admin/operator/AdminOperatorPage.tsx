import { Anchor, Button, Group, Stack, Text, VisuallyHidden } from '@mantine/core';
import { useState } from 'react';
import { Link, useParams } from 'react-router';
import { useMutation, useQuery } from 'urql';
import { allIntegrationsPart, ownedIntegrationsQuery } from '../../../features/administration/integrationQueries.ts';
import { IntegrationTable } from '../../../features/administration/IntegrationTable.tsx';
import {
  grantRoleMutation,
  lockAccountMutation,
  operatorPart,
  operatorQuery,
  type OperatorRecord,
  type Role,
  roleWords,
  unlockAccountMutation,
  withdrawRoleMutation,
} from '../../../features/administration/operatorQueries.ts';
import { mailedReasonField } from '../../../features/administration/reasonField.ts';
import { ResetPanel } from './ResetPanel.tsx';
import { RoleBadges } from '../../../features/administration/RoleBadges.tsx';
import { useFreshPasskey } from '../../../features/passkey/useFreshPasskey.ts';
import { useSession } from '../../../features/session/SessionContext.ts';
import { graphql, type VariablesOf } from '../../../graphql/graphql.ts';
import { pageLoader } from '../../../graphql/pageLoader.ts';
import { share } from '../../../graphql/questions.ts';
import { paths } from '../../../paths.ts';
import { ConsequenceDialog } from '../../../ui/forms/ConsequenceDialog.tsx';
import { PageHeader } from '../../../ui/layout/PageHeader.tsx';
import { Panel } from '../../../ui/layout/Panel.tsx';
import { type Column, DataTable } from '../../../ui/lists/DataTable.tsx';
import { LoadedList } from '../../../ui/lists/LoadedList.tsx';
import { PagedList } from '../../../ui/lists/PagedList.tsx';
import { usePagination } from '../../../ui/lists/usePagination.ts';
import { EmptyState } from '../../../ui/states/EmptyState.tsx';
import { Loaded } from '../../../ui/states/Loaded.tsx';
import { Time } from '../../../ui/time/Time.tsx';
import { Address } from '../../../ui/values/Address.tsx';
import { Facts } from '../../../ui/values/Facts.tsx';
import { Identifier } from '../../../ui/values/Identifier.tsx';
import { StatusBadge } from '../../../ui/values/StatusBadge.tsx';

const pageQuery = graphql(
  `
    query OperatorPage($id: ID!, $filter: IntegrationFilterInput!, $order: IntegrationOrder!, $after: String) {
      ...OperatorPart
      ...AllIntegrationsPart
    }
  `,
  [operatorPart, allIntegrationsPart],
);

export const loader = pageLoader(({ ask, params: { id = '' }, plain }) => {
  if (!plain) return ask(operatorQuery, { id });
  const owned = ownedBy(id, null);
  ask(
    pageQuery,
    { id, ...owned },
    share(operatorQuery, { id }, ({ operator }) => ({ operator })),
    share(ownedIntegrationsQuery, owned, ({ allIntegrations }) => ({ allIntegrations })),
  );
});

/** One account: who it is, its roles and its integrations. */
export function Component() {
  const { id = '' } = useParams();
  const [result, read] = useQuery({ query: operatorQuery, variables: { id }, requestPolicy: 'cache-and-network' });
  const reread = () => read({ requestPolicy: 'network-only' });
  return (
    <Loaded whole result={result} onRetry={reread}>
      {({ operator }) => (
        <Stack gap="lg">
          <PageHeader
            title={operator.email === null ? 'Deleted account' : <Address value={operator.email} />}
            // An email address belongs neither in the history nor on a tab of a shared screen.
            documentTitle="Operator"
            marks={
              <Group gap="xs">
                <RoleBadges roles={operator.roles} deleted={operator.deletedAt !== null} locked={operator.lockedAt !== null} />
              </Group>
            }
          />
          <Facts
            facts={[
              ['Operator ID', <Identifier key="id" value={operator.id} label="the operator ID" />],
              ['Registered', <Time key="created" value={operator.createdAt} />],
              ...(operator.deletedAt ? [['Deleted', <Time key="deleted" value={operator.deletedAt} />] as const] : []),
              ['Open sessions', String(operator.access.sessions)],
              ['Passkeys', String(operator.access.passkeys)],
              ['Passkey last used', operator.access.lastUsedAt ? <Time key="used" value={operator.access.lastUsedAt} /> : 'Never'],
              [
                'Audit trail',
                <Group key="audit" gap="md">
                  <Anchor component={Link} to={`${paths.adminAudit}?way=operator&search=${operator.id}`} inherit>
                    Entries about this account
                  </Anchor>
                  <Anchor component={Link} to={`${paths.adminAudit}?way=actor&search=${operator.id}`} inherit>
                    Entries by this account
                  </Anchor>
                </Group>,
              ],
            ]}
          />
          <RolePanel operator={operator} onChanged={reread} />
          {operator.deletedAt === null && <LockPanel operator={operator} onChanged={reread} />}
          {operator.deletedAt === null && <ResetPanel operator={operator} onChanged={reread} />}
          <OwnedIntegrations operatorId={operator.id} />
        </Stack>
      )}
    </Loaded>
  );
}

function ownedBy(operatorId: string, after: string | null): VariablesOf<typeof ownedIntegrationsQuery> {
  return { filter: { operatorId }, order: 'newest', after };
}

function OwnedIntegrations({ operatorId }: { operatorId: string }) {
  const pagination = usePagination();
  const [result, read] = useQuery({ query: ownedIntegrationsQuery, variables: ownedBy(operatorId, pagination.after) });
  return (
    <Panel title="Integrations">
      <LoadedList pagination={pagination} result={result} onRetry={() => read({ requestPolicy: 'network-only' })}>
        {({ allIntegrations }) => (
          <PagedList
            label="Integrations"
            pagination={pagination}
            page={allIntegrations}
            none={<EmptyState kind="nothingYet" title="This account has no integrations." />}
          >
            {(integrations) => <IntegrationTable ofOne integrations={integrations} />}
          </PagedList>
        )}
      </LoadedList>
    </Panel>
  );
}

/** Shows whether an account is locked, and locks or unlocks it. */
function LockPanel({ operator, onChanged }: { operator: OperatorRecord; onChanged: () => void }) {
  const [asked, setAsked] = useState(false);
  const { viewer } = useSession();
  const [, lockAccount] = useMutation(lockAccountMutation);
  const [, unlockAccount] = useMutation(unlockAccountMutation);
  const confirmed = useFreshPasskey();
  const locked = operator.lockedAt !== null;

  async function change(reason: string): Promise<string | null> {
    const variables = { input: { operatorId: operator.id, reason } };
    const { error } = await (locked ? confirmed(() => unlockAccount(variables)) : confirmed(() => lockAccount(variables)));
    if (error) return error.message;
    onChanged();
    return null;
  }

  return (
    <Panel
      title="Sign-in"
      lead="Signing in to a locked account is refused. Its integrations keep their machine access; suspend them to stop that."
    >
      {operator.lockedAt && (
        <Text style={{ overflowWrap: 'anywhere' }} mb="sm">
          Locked <Time value={operator.lockedAt} />: {operator.lockReason}
        </Text>
      )}
      {viewer?.operatorId === operator.id ? (
        <Text size="sm">This account is yours. Only another administrator can lock it.</Text>
      ) : (
        <Button variant="default" color={locked ? undefined : 'red'} onClick={() => setAsked(true)}>
          {locked ? 'Unlock account' : 'Lock account'}
        </Button>
      )}
      {asked && (
        <ConsequenceDialog
          title={locked ? 'Unlock this account?' : 'Lock this account?'}
          object={operator.email}
          changes={
            locked
              ? ['The owner can sign in again.', 'We email the reason to the owner.']
              : [
                  'All its sessions end.',
                  'Neither a passkey nor a recovery code signs in until an administrator unlocks the account.',
                  'We email the reason to the owner.',
                ]
          }
          unchanged={
            locked
              ? ['Passkeys and recovery codes work as before.']
              : ['Its integrations keep running.', 'Deletion deadlines keep running.']
          }
          reason={mailedReasonField}
          verb={locked ? 'Unlock account' : 'Lock account'}
          {...(!locked && { tone: 'danger' })}
          onConfirm={change}
          onClose={() => setAsked(false)}
        />
      )}
    </Panel>
  );
}

/** Shows an account's roles, and grants or withdraws them. */
function RolePanel({ operator, onChanged }: { operator: OperatorRecord; onChanged: () => void }) {
  const [asked, setAsked] = useState<Role | null>(null);
  const { viewer } = useSession();
  const own = viewer?.operatorId === operator.id;
  const columns: readonly Column<Role>[] = [
    { header: 'Role', cell: (role) => roleWords[role].word },
    { header: 'What it allows', cell: (role) => roleWords[role].may },
    { header: 'Granted', cell: (role) => operator.roles.includes(role) && <StatusBadge tone="good">Granted</StatusBadge> },
    {
      header: 'Change',
      actions: true,
      cell: (role) =>
        operator.deletedAt === null &&
        (operator.roles.includes(role) || !own) && (
          <Button variant="default" size="xs" onClick={() => setAsked(role)}>
            {operator.roles.includes(role) ? 'Withdraw' : 'Grant'} <VisuallyHidden>{roleWords[role].word}</VisuallyHidden>
          </Button>
        ),
    },
  ];
  return (
    <Panel
      title="Roles"
      lead={`Changes apply from the account’s next request.${own ? ' This is your account: only another administrator can give it a role.' : ''}`}
    >
      <DataTable caption="Roles" columns={columns} rows={Object.keys(roleWords) as Role[]} rowKey={(role) => role} />
      {asked && <RoleDialog operator={operator} role={asked} onClose={() => setAsked(null)} onChanged={onChanged} />}
    </Panel>
  );
}

type RoleDialogProps = { operator: OperatorRecord; role: Role; onClose: () => void; onChanged: () => void };

function RoleDialog({ operator, role, onClose, onChanged }: RoleDialogProps) {
  const [, grantRole] = useMutation(grantRoleMutation);
  const [, withdrawRole] = useMutation(withdrawRoleMutation);
  const confirmed = useFreshPasskey();
  const { viewer, refresh } = useSession();
  const held = operator.roles.includes(role);
  const word = roleWords[role].word.toLowerCase();

  async function change(reason: string): Promise<string | null> {
    const variables = { input: { operatorId: operator.id, role, reason } };
    const { error } = await (held ? confirmed(() => withdrawRole(variables)) : confirmed(() => grantRole(variables)));
    if (error) return error.message;
    onChanged();
    // The header shows different links when the reader's own roles change.
    if (viewer?.operatorId === operator.id) refresh();
    return null;
  }

  return (
    <ConsequenceDialog
      title={held ? `Withdraw the role ${word}?` : `Grant the role ${word}?`}
      object={operator.email}
      changes={[
        `${held ? 'No longer possible' : 'Possible'} from the account’s next request: ${roleWords[role].may}`,
        'We email the reason to the account’s owner.',
      ]}
      unchanged={['The account’s own integrations and sessions stay as they are.']}
      reason={{ ...mailedReasonField, required: false }}
      verb={held ? 'Withdraw role' : 'Grant role'}
      {...(held && { tone: 'danger' })}
      onConfirm={change}
      onClose={onClose}
    />
  );
}
