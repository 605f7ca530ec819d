import { Anchor, Button, Group, List, Stack, Text } from '@mantine/core';
import { IconCircleCheck, IconMail } from '@tabler/icons-react';
import { useMutation } from 'urql';
import { describeError } from '../../graphql/describeError.ts';
import { graphql } from '../../graphql/graphql.ts';
import { useFrame } from '../../graphql/useFrame.ts';
import { paths } from '../../paths.ts';
import { ErrorMessage } from '../../ui/states/ErrorMessage.tsx';
import { Time } from '../../ui/time/Time.tsx';
import type { EmailChange } from './accountSettingsQuery.ts';

const cancelEmailChangeMutation = graphql(`
  mutation CancelEmailChange {
    cancelEmailChange
  }
`);

type PendingEmailChangeProps = { email: string; change: EmailChange; onChanged: () => void };

/** Shows which of the two addresses has confirmed the change and which has not. */
export function PendingEmailChange({ email, change, onChanged }: PendingEmailChangeProps) {
  const [{ fetching, error }, cancel] = useMutation(cancelEmailChangeMutation);
  const [{ data }] = useFrame();

  async function takeBack() {
    const result = await cancel({});
    if (result.data) onChanged();
  }

  return (
    <Stack gap="sm" role="group" aria-label="Pending change">
      {error && <ErrorMessage message={describeError(error).message} />}
      <Text>
        We have emailed a separate link to each address. Open both and confirm; they expire <Time value={change.expiresAt} />. This page
        updates by itself.
      </Text>
      <List spacing={4} listStyleType="none">
        <Side address={email} confirmed={change.currentConfirmed} />
        <Side address={change.newEmail} confirmed={change.newConfirmed} />
      </List>
      <Group gap="sm">
        <Button variant="default" loading={fetching} onClick={() => void takeBack()}>
          Keep the current address
        </Button>
        {data?.service.developmentMailbox && (
          <Anchor href={paths.developmentMailbox} size="sm">
            Open the development mailbox
          </Anchor>
        )}
      </Group>
    </Stack>
  );
}

function Side({ address, confirmed }: { address: string; confirmed: boolean }) {
  const Icon = confirmed ? IconCircleCheck : IconMail;
  return (
    <List.Item icon={<Icon size={20} aria-hidden />} style={{ overflowWrap: 'anywhere' }}>
      <strong>{address}</strong>: {confirmed ? 'confirmed' : 'not confirmed yet'}
    </List.Item>
  );
}
