import { Button, Group, Text } from '@mantine/core';
import { IconCloudCheck, IconCloudOff, IconDeviceLaptop, type TablerIcon } from '@tabler/icons-react';
import { useState } from 'react';
import { Time } from '../../ui/time/Time.tsx';
import type { AccountPasskey } from './accountQuery.ts';
import classes from './account.module.css';
import { RemovePasskeyDialog } from './RemovePasskeyDialog.tsx';
import { RenamePasskeyDialog } from './RenamePasskeyDialog.tsx';

const storageWords: Record<AccountPasskey['storage'], { Icon: TablerIcon; word: string; meaning: string }> = {
  synced: { Icon: IconCloudCheck, word: 'Synced', meaning: 'Your password manager syncs it to your other devices.' },
  not_synced: { Icon: IconCloudOff, word: 'Not synced yet', meaning: 'Your password manager can sync it, but has not done so yet.' },
  device_bound: {
    Icon: IconDeviceLaptop,
    word: 'Device-bound',
    meaning: 'It never leaves its device. If the device is lost, so is the passkey.',
  },
};

/** One passkey: what it is called, where it lives, and when it was last used. */
export function PasskeyCard({ passkey, isLast }: { passkey: AccountPasskey; isLast: boolean }) {
  const [open, setOpen] = useState<'rename' | 'remove' | null>(null);
  const close = () => setOpen(null);
  const { name, storage, createdAt, lastUsedAt } = passkey;
  const { Icon, word, meaning } = storageWords[storage];
  return (
    <li className={classes.item}>
      <div className={classes.words}>
        <Text fw={600} className={classes.name}>
          {name}
        </Text>
        <Text size="sm" component="div" className={classes.storage} title={meaning}>
          <Icon size={16} aria-hidden />
          {word}
        </Text>
        <Text size="sm" c="dimmed">
          {lastUsedAt ? (
            <>
              Last used <Time value={lastUsedAt} />
            </>
          ) : (
            'Not used yet'
          )}
          {' · '}added <Time value={createdAt} />
        </Text>
      </div>
      <Group gap="xs">
        <Button variant="default" size="xs" onClick={() => setOpen('rename')} aria-label={`Rename ${name}`}>
          Rename
        </Button>
        {!isLast && (
          <Button variant="default" size="xs" onClick={() => setOpen('remove')} aria-label={`Remove ${name}`}>
            Remove
          </Button>
        )}
      </Group>
      {open === 'rename' && <RenamePasskeyDialog passkey={passkey} onClose={close} />}
      {open === 'remove' && <RemovePasskeyDialog passkey={passkey} onClose={close} />}
    </li>
  );
}
