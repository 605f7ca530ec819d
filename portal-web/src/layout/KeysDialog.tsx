import { Anchor, Modal, Text } from '@mantine/core';
import { useState } from 'react';
import { Link } from 'react-router';
import { paths } from '../paths.ts';
import { activeShortcuts } from '../ui/keys/shortcuts.ts';
import classes from './KeysDialog.module.css';

/** The keys that work on the page which is open. */
export function KeysDialog({ on, onClose }: { on: boolean; onClose: () => void }) {
  const [keys] = useState(() => [
    ['⌘K', 'Search'] as const,
    ...(on ? activeShortcuts() : []).map(([key, { label }]) => [key, label] as const),
  ]);
  return (
    <Modal opened onClose={onClose} title="Keyboard shortcuts">
      <table className={classes.table}>
        <caption>
          <Text size="sm" c="dimmed">
            {on ? 'You can turn single-key shortcuts off on the page ' : 'Single-key shortcuts are off. Turn them on on the page '}
            <Anchor component={Link} to={paths.account} size="sm" onClick={onClose}>
              Account
            </Anchor>
            .
          </Text>
        </caption>
        <thead>
          <tr>
            <th scope="col">Key</th>
            <th scope="col">What it does</th>
          </tr>
        </thead>
        <tbody>
          {keys.map(([key, label]) => (
            <tr key={`${key} ${label}`}>
              <td>
                <kbd>{key === '⌘K' ? '⌘K or Ctrl K' : key.replace(' ', ' then ')}</kbd>
              </td>
              <td>{label}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </Modal>
  );
}
