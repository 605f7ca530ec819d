import { Text } from '@mantine/core';
import { DataTable, type Column } from '../../ui/lists/DataTable.tsx';
import type { RowAction } from '../../ui/lists/RowMenu.tsx';
import { Time } from '../../ui/time/Time.tsx';
import { Identifier } from '../../ui/values/Identifier.tsx';
import { StatusBadge } from '../../ui/values/StatusBadge.tsx';
import { useReadOnly } from '../integration/ownerView.ts';
import { possibleSteps, statusBadge } from './resourceWords.ts';
import type { SandboxResource } from './sandboxQueries.ts';

/** What the reader can do with a resource, and with its connection. */
export type ResourceAction = 'advance' | 'end' | 'ship' | 'revoke' | 'showConnection' | 'revokeConnection';

type ResourceTableProps = {
  resources: readonly SandboxResource[];
  scopes: readonly string[];
  onAction: (action: ResourceAction, resource: SandboxResource) => void;
};

/** Resources of the test data, each with a menu of what can be made happen to it. */
export function ResourceTable({ resources, scopes, onAction }: ResourceTableProps) {
  const readOnly = useReadOnly();

  function actionsOf(resource: SandboxResource): RowAction[] {
    const possible = possibleSteps(resource, scopes);
    const over = resource.revoked ? 'It is revoked.' : 'It has no next step.';
    const act = (action: ResourceAction, label: string, disabledBecause: string | null = null): RowAction => ({
      label,
      disabledBecause,
      onSelect: () => onAction(action, resource),
    });
    const looks = [{ label: 'Copy ID', copy: resource.id }, act('showConnection', 'Show all of its connection')];
    if (readOnly) return looks;
    return [
      ...looks,
      act('advance', 'Advance', possible.advance ? null : over),
      ...(possible.ship ? [act('ship', 'Shipping event')] : []),
      ...(possible.end ? [act('end', resource.type === 'order' ? 'Cancel' : 'Withdraw')] : []),
      act('revoke', 'Revoke', possible.revoke ? null : over),
      act('revokeConnection', 'Revoke its connection', possible.revoke ? null : over),
    ];
  }

  return <DataTable caption="Shared resources" columns={columns} rows={resources} rowKey={({ id }) => id} actions={actionsOf} />;
}

const columns: readonly Column<SandboxResource>[] = [
  {
    header: 'Resource',
    breaks: true,
    cell: (resource) => (
      <>
        <Identifier value={resource.id} copy={false} />
        <Text size="xs" c="dimmed" fw={400}>
          {[resource.type === 'order' ? 'Order' : 'Stock vehicle', resource.model, resource.market, `revision ${resource.revision}`]
            .filter(Boolean)
            .join(' · ')}
        </Text>
      </>
    ),
  },
  {
    header: 'Status',
    cell: (resource) => {
      const { tone, word } = statusBadge(resource);
      return <StatusBadge tone={tone}>{word}</StatusBadge>;
    },
  },
  { header: 'Changed', cell: ({ updatedAt }) => <Time value={updatedAt} /> },
];
