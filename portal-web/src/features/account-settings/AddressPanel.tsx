import { Button, Group, Stack, Text } from '@mantine/core';
import { useState, type SubmitEvent } from 'react';
import { useMutation } from 'urql';
import { describeError } from '../../graphql/describeError.ts';
import { graphql } from '../../graphql/graphql.ts';
import { ErrorMessage } from '../../ui/states/ErrorMessage.tsx';
import { Panel } from '../../ui/layout/Panel.tsx';
import { ShortText } from '../../ui/forms/ShortText.tsx';
import type { EmailChange } from './accountSettingsQuery.ts';
import { PendingEmailChange } from './PendingEmailChange.tsx';

const requestEmailChangeMutation = graphql(`
  mutation RequestEmailChange($input: RequestEmailChangeInput!) {
    requestEmailChange(input: $input) {
      newEmail
    }
  }
`);

type AddressPanelProps = { email: string; change: EmailChange | null; onChanged: () => void };

/** Shows the account's address and lets the reader change it. */
export function AddressPanel({ email, change, onChanged }: AddressPanelProps) {
  const [{ fetching, error }, request] = useMutation(requestEmailChangeMutation);
  const [newEmail, setNewEmail] = useState('');
  const [complaint, setComplaint] = useState<string | null>(null);
  const problem = error ? describeError(error) : null;
  const fieldProblem = problem?.fields['newEmail'];

  async function submit(event: SubmitEvent) {
    event.preventDefault();
    const address = newEmail.trim();
    const isAddress = /^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(address);
    setComplaint(isAddress ? null : 'Enter an email address like name@example.org.');
    if (!isAddress) return;
    const { data } = await request({ input: { newEmail: address } });
    if (!data) return;
    setNewEmail('');
    onChanged();
  }

  return (
    <Panel
      title="Address"
      lead="We send email about your account and integrations to this address. A change takes effect once both addresses have confirmed it, and ends all sessions."
    >
      <Stack gap="md">
        <Text style={{ overflowWrap: 'anywhere' }}>
          Current address: <strong>{email}</strong>
        </Text>
        {problem && !fieldProblem && <ErrorMessage message={problem.message} />}
        {change ? (
          <PendingEmailChange email={email} change={change} onChanged={onChanged} />
        ) : (
          <form onSubmit={(event) => void submit(event)} noValidate>
            <Group align="flex-end" gap="sm">
              <ShortText
                label="New address"
                type="email"
                name="new-email"
                autoComplete="email"
                longest={254}
                value={newEmail}
                onChange={(event) => setNewEmail(event.currentTarget.value)}
                error={complaint ?? fieldProblem}
                flex="1 1 16rem"
                maw={400}
              />
              <Button type="submit" variant="default" loading={fetching}>
                Send confirmation links
              </Button>
            </Group>
          </form>
        )}
      </Stack>
    </Panel>
  );
}
