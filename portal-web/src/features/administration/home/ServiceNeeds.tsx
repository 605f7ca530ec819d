import { Button, Group, Text, Title } from '@mantine/core';
import { EmptyState } from '../../../ui/states/EmptyState.tsx';
import { AsOf } from '../../../ui/time/AsOf.tsx';
import { exactWords } from '../../../ui/time/exactWords.ts';
import { NeedsYou } from '../../attention/NeedsYou.tsx';
import type { AdminHome } from './homeQuery.ts';

type ServiceNeedsProps = { attention: AdminHome['attention']; reading: boolean; onCheck: () => void };

/** Whether the service needs somebody, and for what first. It says when it was checked, so that an old answer is not taken for today’s. */
export function ServiceNeeds({ attention: { checkedAt, items }, reading, onCheck }: ServiceNeedsProps) {
  const checked = <AsOf at={checkedAt} words={clockWords(checkedAt)} />;
  const again = (
    <Button variant="default" size="xs" loading={reading} onClick={onCheck}>
      Check again
    </Button>
  );
  return (
    <section aria-labelledby="service-needs">
      <Group justify="space-between" gap="sm" mb="xs">
        <Title order={2} id="service-needs">
          Needs somebody
        </Title>
        {items.length > 0 && (
          <Group gap="sm">
            <Text size="sm" c="dimmed" role="status">
              Checked {checked}
            </Text>
            {again}
          </Group>
        )}
      </Group>
      {items.length > 0 ? (
        <NeedsYou items={items} full />
      ) : (
        <EmptyState kind="allClear" title={<>All clear, checked {checked}</>} action={again}>
          Jobs, reviews, deletions, suspensions, webhooks, mail, authorities, revocation lists and gates were all read.
        </EmptyState>
      )}
    </section>
  );
}

/** The time without its milliseconds, and the day unless it is today. */
function clockWords(at: string): string {
  return exactWords(new Date(at), new Date(), 'local').replace(/\.\d+$/, '');
}
