import { Button, Group, Text } from '@mantine/core';
import { CopyableCode } from '../../ui/values/CopyableCode.tsx';
import { RelativeTime } from '../../ui/time/RelativeTime.tsx';
import { StatusBadge } from '../../ui/values/StatusBadge.tsx';
import { possibleSteps, statusBadge } from './resourceWords.ts';
import type { SandboxResource } from './sandboxQueries.ts';
import classes from './Simulator.module.css';

/** What a row can ask for. */
export type ResourceAction = 'advance' | 'end' | 'ship' | 'revoke';

type ResourceRowProps = { resource: SandboxResource; scopes: readonly string[]; busy: boolean; onAction: (action: ResourceAction) => void };

/** One resource of the test data with what the simulator can do to it. */
export function ResourceRow({ resource, scopes, busy, onAction }: ResourceRowProps) {
  const { tone, word } = statusBadge(resource);
  const possible = possibleSteps(resource, scopes);
  const kind = resource.type === 'order' ? 'Order' : 'Stock vehicle';
  const actions = [
    { action: 'advance', word: 'Advance' },
    { action: 'ship', word: 'Shipping event' },
    { action: 'end', word: resource.type === 'order' ? 'Cancel' : 'Withdraw' },
    { action: 'revoke', word: 'Revoke' },
  ] as const;
  return (
    <article className={classes.row} aria-label={`${kind} ${resource.id}`}>
      <div className={classes.rowHead}>
        <CopyableCode value={resource.id} label="the resource ID" />
        <StatusBadge tone={tone}>{word}</StatusBadge>
      </div>
      <Text size="sm" c="dimmed">
        {[kind, resource.model, resource.market, `revision ${resource.revision}`].filter(Boolean).join(' · ')} ·{' '}
        {resource.revoked ? 'revoked' : 'changed'} <RelativeTime value={resource.updatedAt} />
      </Text>
      <Group gap="xs" mt="xs">
        {actions
          .filter(({ action }) => possible[action])
          .map(({ action, word: label }) => (
            <Button
              key={action}
              size="compact-sm"
              variant="default"
              disabled={busy}
              onClick={() => onAction(action)}
              aria-label={`${label} ${resource.id}`}
            >
              {label}
            </Button>
          ))}
      </Group>
    </article>
  );
}
