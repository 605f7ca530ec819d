import { Button, Group, Text } from '@mantine/core';
import { DataTable, type Column } from '../../ui/lists/DataTable.tsx';
import { RelativeTime } from '../../ui/time/RelativeTime.tsx';
import { CopyableCode } from '../../ui/values/CopyableCode.tsx';
import { StatusBadge } from '../../ui/values/StatusBadge.tsx';
import { possibleSteps, statusBadge } from './resourceWords.ts';
import type { SandboxResource } from './sandboxQueries.ts';

/** What the reader can do with a resource. */
export type ResourceAction = 'advance' | 'end' | 'ship' | 'revoke';

type ResourceTableProps = {
  resources: readonly SandboxResource[];
  scopes: readonly string[];
  busy: boolean;
  onAction: (action: ResourceAction, resource: SandboxResource) => void;
};

/** Resources of the test data with what the simulator can do to each. */
export function ResourceTable({ resources, scopes, busy, onAction }: ResourceTableProps) {
  const actions: Column<SandboxResource> = {
    header: 'What you can do',
    actions: true,
    cell: (resource) => {
      const possible = possibleSteps(resource, scopes);
      return (
        <Group gap="xs">
          {actionsOf(resource)
            .filter(({ action }) => possible[action])
            .map(({ action, word }) => (
              <Button
                key={action}
                size="compact-sm"
                variant="default"
                disabled={busy}
                onClick={() => onAction(action, resource)}
                aria-label={`${word} ${resource.id}`}
              >
                {word}
              </Button>
            ))}
        </Group>
      );
    },
  };
  return <DataTable caption="Shared resources" columns={[...columns, actions]} rows={resources} rowKey={({ id }) => id} />;
}

const columns: readonly Column<SandboxResource>[] = [
  {
    header: 'Resource',
    cell: (resource) => (
      <>
        <CopyableCode value={resource.id} label="the resource ID" />
        <Text size="sm" c="dimmed">
          {[kindOf(resource), resource.model, resource.market, `revision ${resource.revision}`].filter(Boolean).join(' · ')} ·{' '}
          {resource.revoked ? 'revoked' : 'changed'} <RelativeTime value={resource.updatedAt} />
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
];

function kindOf({ type }: SandboxResource): string {
  return type === 'order' ? 'Order' : 'Stock vehicle';
}

function actionsOf({ type }: SandboxResource) {
  return [
    { action: 'advance', word: 'Advance' },
    { action: 'ship', word: 'Shipping event' },
    { action: 'end', word: type === 'order' ? 'Cancel' : 'Withdraw' },
    { action: 'revoke', word: 'Revoke' },
  ] as const;
}
