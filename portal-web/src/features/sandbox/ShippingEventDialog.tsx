import { Button, Checkbox, Group, NativeSelect, Stack, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import { useMutation } from 'urql';
import { describeError, type DescribedError } from '../../graphql/describeError.ts';
import { Dialog } from '../../ui/forms/Dialog.tsx';
import { ErrorMessage } from '../../ui/states/ErrorMessage.tsx';
import { addSandboxShippingEventMutation } from './sandboxMutations.ts';

type ShippingEventDialogProps = {
  clientId: string;
  resourceId: string;
  /** Called once it is done, before the dialog closes. */
  onDone?: () => void;
  onClose: () => void;
};

const notATime = 'Enter a time whose year has four digits.';
const kinds = ['loaded', 'departed', 'transshipped', 'arrived', 'discharged'] as const;

/** Adds a shipping event to an order's voyage. */
export function ShippingEventDialog({ clientId, resourceId, onDone, onClose }: ShippingEventDialogProps) {
  const [{ fetching }, addEvent] = useMutation(addSandboxShippingEventMutation);
  const [kind, setKind] = useState<(typeof kinds)[number]>('transshipped');
  const [port, setPort] = useState('SGSIN');
  const [at, setAt] = useState('');
  const [estimated, setEstimated] = useState(false);
  const [problem, setProblem] = useState<DescribedError | null>(null);

  async function add(event: React.FormEvent) {
    event.preventDefault();
    setProblem(null);
    // The field is in UTC, as is the whole portal. A browser also takes years that no time of ours can have.
    const instant = Date.parse(`${at}Z`);
    if (at !== '' && Number.isNaN(instant)) return setProblem({ code: 'BAD_USER_INPUT', message: notATime, fields: { at: notATime } });
    const { data, error } = await addEvent({
      input: {
        clientId,
        resourceId,
        kind,
        port: port.trim().toUpperCase(),
        at: at === '' ? null : new Date(instant).toISOString(),
        estimated,
      },
    });
    if (error || !data) return setProblem(describeError(error));
    onDone?.();
    onClose();
  }

  const unplaced = problem && !('port' in problem.fields) && !('at' in problem.fields);
  return (
    <Dialog onClose={onClose} title="Add a shipping event">
      <form onSubmit={(event) => void add(event)} noValidate>
        <Stack gap="md">
          <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
            Adds an event to the voyage of <code>{resourceId}</code>. The status of the order does not change. If there is already an
            estimate for the same event at the same port, it is replaced.
          </Text>
          {unplaced && <ErrorMessage message={problem.message} />}
          <NativeSelect
            label="What happened"
            value={kind}
            onChange={(event) => setKind(event.currentTarget.value as typeof kind)}
            data={[...kinds]}
          />
          <TextInput
            label="Port"
            description="UN/LOCODE, such as DEBRV"
            value={port}
            onChange={(event) => setPort(event.currentTarget.value)}
            error={problem?.fields['port']}
            spellCheck={false}
            autoComplete="off"
          />
          <TextInput
            label="Time (UTC)"
            description="Leave empty for now"
            type="datetime-local"
            value={at}
            onChange={(event) => setAt(event.currentTarget.value)}
            error={problem?.fields['at']}
          />
          <Checkbox
            label="Estimated (has not happened yet)"
            checked={estimated}
            onChange={(event) => setEstimated(event.currentTarget.checked)}
          />
          <Group justify="flex-end" gap="sm">
            <Button variant="default" onClick={onClose}>
              Cancel
            </Button>
            <Button type="submit" loading={fetching}>
              Add event
            </Button>
          </Group>
        </Stack>
      </form>
    </Dialog>
  );
}
