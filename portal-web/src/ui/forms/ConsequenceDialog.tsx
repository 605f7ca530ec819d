import { Button, Group, List, Stack, Text } from '@mantine/core';
import { useState, type ReactNode, type SubmitEvent } from 'react';
import { ErrorMessage } from '../states/ErrorMessage.tsx';
import { Dialog } from './Dialog.tsx';
import { LongText } from './LongText.tsx';

/** What went wrong, in words, or what is wrong with the reason that was written. */
export type Refused = string | { readonly reason: string };

type ConsequenceDialogProps = {
  /** The act as a question, as in "Revoke this certificate?" */
  title: string;
  /** What it is done to: a name or an identifier. */
  object: ReactNode;
  /** How much it touches, as in "3 deletions, 1 overdue". */
  count?: ReactNode;
  changes: readonly ReactNode[];
  /** What the reader might fear for, and which stays as it is. */
  unchanged: readonly ReactNode[];
  /** When it takes effect, where that is not at once. */
  takesEffect?: ReactNode;
  /** A reason to be written, of at most `longest` characters. */
  reason?: { readonly label: string; readonly description?: string; readonly longest: number; readonly required?: boolean };
  /** Further choices, between the consequences and the buttons. */
  children?: ReactNode;
  /** What the button says: the verb and its object. */
  verb: string;
  tone?: 'danger';
  /** Whether the act cannot be done yet, while what it touches is still being counted for instance. */
  waiting?: boolean;
  /** Performs the act. Returns what went wrong, or null when it is done. Then the dialog closes. */
  onConfirm: (reason: string) => Promise<Refused | null>;
  onClose: () => void;
};

/**
 * Asks before an act with consequences: what it is done to, how much it touches, what changes, and what does not. Rendered only while it is
 * open, so that nothing typed stays.
 */
export function ConsequenceDialog(props: ConsequenceDialogProps) {
  const {
    title,
    object,
    count,
    changes,
    unchanged,
    takesEffect,
    reason,
    children,
    verb,
    tone,
    waiting = false,
    onConfirm,
    onClose,
  } = props;
  const [written, setWritten] = useState('');
  const [problem, setProblem] = useState<Refused | null>(null);
  const [busy, setBusy] = useState(false);
  const missing = reason?.required === true && written.trim() === '';

  async function confirm(event: SubmitEvent) {
    event.preventDefault();
    // A form of the page that the dialog is rendered in would otherwise take it for its own.
    event.stopPropagation();
    if (waiting || missing) return;
    setBusy(true);
    setProblem(null);
    const found = await onConfirm(written.trim());
    setBusy(false);
    if (found === null) return onClose();
    setProblem(found);
  }

  return (
    <Dialog title={title} onClose={onClose}>
      <form noValidate onSubmit={(event) => void confirm(event)}>
        <Stack gap="md">
          {typeof problem === 'string' && <ErrorMessage message={problem} />}
          <div>
            <Text component="div">{object}</Text>
            {count !== undefined && (
              <Text component="div" role="status" fw={650}>
                {count}
              </Text>
            )}
          </div>
          <Consequences title="What changes" items={changes} />
          <Consequences title="What stays as it is" items={unchanged} />
          {takesEffect && <Text size="sm">{takesEffect}</Text>}
          {children}
          {reason && (
            <LongText
              label={reason.label}
              description={reason.description}
              longest={reason.longest}
              required={reason.required ?? false}
              minRows={2}
              value={written}
              error={typeof problem === 'string' ? null : problem?.reason}
              onChange={({ currentTarget: { value } }) => setWritten(value)}
            />
          )}
          <Group justify="flex-end" gap="sm">
            <Button variant="default" onClick={onClose}>
              Cancel
            </Button>
            <Button {...(tone === 'danger' && { color: 'red.9' })} type="submit" loading={busy} disabled={waiting || missing}>
              {verb}
            </Button>
          </Group>
        </Stack>
      </form>
    </Dialog>
  );
}

function Consequences({ title, items }: { title: string; items: readonly ReactNode[] }) {
  if (items.length === 0) return null;
  return (
    <div>
      <Text size="sm" fw={650} mb={4}>
        {title}
      </Text>
      <List size="sm" spacing={4}>
        {items.map((item, index) => (
          // The items are fixed for each dialog.
          // eslint-disable-next-line react/no-array-index-key
          <List.Item key={index}>{item}</List.Item>
        ))}
      </List>
    </div>
  );
}
