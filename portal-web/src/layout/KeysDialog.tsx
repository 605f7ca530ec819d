import { Anchor, Modal, Table, Text } from '@mantine/core';
import { useState } from 'react';
import { Link } from 'react-router';
import { paths } from '../paths.ts';
import { activeShortcuts } from '../ui/keys/shortcuts.ts';

/** The keys that work on the page which is open. */
export function KeysDialog({ on, onClose }: { on: boolean; onClose: () => void }) {
  const [keys] = useState(() => [
    ['⌘K', 'Search'] as const,
    ...(on ? activeShortcuts() : []).map(([key, { label }]) => [key, label] as const),
  ]);
  return (
    <Modal opened onClose={onClose} title="Keys">
      <Table>
        <caption>
          <Text size="sm" c="dimmed">
            {on ? 'Single keys can be switched off on the page ' : 'Single keys are switched off. Switch them on on the page '}
            <Anchor component={Link} to={paths.account} size="sm" onClick={onClose}>
              Account
            </Anchor>
            .
          </Text>
        </caption>
        <Table.Thead>
          <Table.Tr>
            <Table.Th scope="col">Key</Table.Th>
            <Table.Th scope="col">What it does</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {keys.map(([key, label]) => (
            <Table.Tr key={`${key} ${label}`}>
              <Table.Td>
                <kbd>{key === '⌘K' ? '⌘K or Ctrl K' : key.replace(' ', ' then ')}</kbd>
              </Table.Td>
              <Table.Td>{label}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Modal>
  );
}
