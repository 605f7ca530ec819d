import { Button, Group, Modal, Stack, Textarea } from '@mantine/core';
import { useState, type ReactNode } from 'react';
import { ErrorMessage } from '../../ui/states/ErrorMessage.tsx';

type ReasonDialogProps = {
  title: string;
  /** What will happen, with the object's name. */
  children: ReactNode;
  confirm: string;
  danger?: boolean;
  /** False if no reason is recorded. */
  reason?: string | false;
  /** Carries out the decision. Returns the reason in words if it failed. */
  onConfirm: (reason: string) => Promise<string | null>;
  onClose: () => void;
};

/** Asks for confirmation of an administrator's decision, and for the reason. */
export function ReasonDialog({
  title,
  children,
  confirm,
  danger = false,
  reason: label = 'Reason',
  onConfirm,
  onClose,
}: ReasonDialogProps) {
  const [reason, setReason] = useState('');
  const [problem, setProblem] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);

  async function decide() {
    setBusy(true);
    const words = await onConfirm(reason);
    setBusy(false);
    setProblem(words);
    if (words === null) onClose();
  }

  return (
    <Modal opened onClose={onClose} title={title} closeButtonProps={{ 'aria-label': 'Close' }}>
      <Stack gap="md">
        {problem && <ErrorMessage message={problem} />}
        {children}
        {label && (
          <Textarea
            label={label}
            description="It is recorded in the audit trail, which the owner can read."
            required
            maxLength={500}
            autosize
            minRows={2}
            value={reason}
            onChange={(event) => setReason(event.currentTarget.value)}
          />
        )}
        <Group justify="flex-end" gap="sm">
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button
            {...(danger && { color: 'red.9' })}
            loading={busy}
            disabled={Boolean(label) && reason.trim() === ''}
            onClick={() => void decide()}
          >
            {confirm}
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}
