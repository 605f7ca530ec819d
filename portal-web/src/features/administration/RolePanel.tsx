import { Button, VisuallyHidden } from '@mantine/core';
import { useState } from 'react';
import { useMutation } from 'urql';
import { useFreshPasskey } from '../passkey/useFreshPasskey.ts';
import { useSession } from '../session/SessionContext.ts';
import { ConsequenceDialog } from '../../ui/forms/ConsequenceDialog.tsx';
import { Panel } from '../../ui/layout/Panel.tsx';
import { DataTable, type Column } from '../../ui/lists/DataTable.tsx';
import { StatusBadge } from '../../ui/values/StatusBadge.tsx';
import { reasonField } from './reasonField.ts';
import { grantRoleMutation, roleWords, withdrawRoleMutation, type OperatorRecord, type Role } from './operatorQueries.ts';

/** Shows an account's roles, and grants or withdraws them. */
export function RolePanel({ operator, onChanged }: { operator: OperatorRecord; onChanged: () => void }) {
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
        'We tell the account’s owner by mail, with the reason.',
      ]}
      unchanged={['The account’s own integrations and sessions stay as they are.']}
      reason={{ ...reasonField, required: false }}
      verb={held ? 'Withdraw role' : 'Grant role'}
      {...(held && { tone: 'danger' })}
      onConfirm={change}
      onClose={onClose}
    />
  );
}
