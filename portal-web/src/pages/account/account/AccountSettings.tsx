import { Anchor, Button, Group, List, Stack, Switch, Text } from '@mantine/core';
import { IconCircleCheck, IconMail } from '@tabler/icons-react';
import { type SubmitEvent, useState } from 'react';
import { Link, useNavigate } from 'react-router';
import { useMutation } from 'urql';
import { topicWords } from '../../../../../server/domain/notification/topicWords.ts';
import { alwaysMailed } from '../../../../../server/domain/notification/words/mailSubjects.ts';
import { useFreshPasskey } from '../../../features/passkey/useFreshPasskey.ts';
import { useSession } from '../../../features/session/SessionContext.ts';
import { describeError } from '../../../graphql/describeError.ts';
import { graphql } from '../../../graphql/graphql.ts';
import { useFrame } from '../../../graphql/useFrame.ts';
import { usePolledQuery } from '../../../graphql/usePolledQuery.ts';
import { integrationPaths, paths } from '../../../paths.ts';
import { ConsequenceDialog } from '../../../ui/forms/ConsequenceDialog.tsx';
import { ShortText } from '../../../ui/forms/ShortText.tsx';
import { Panel } from '../../../ui/layout/Panel.tsx';
import { ErrorMessage } from '../../../ui/states/ErrorMessage.tsx';
import { Loaded } from '../../../ui/states/Loaded.tsx';
import { counted } from '../../../ui/text/counted.ts';
import { Time } from '../../../ui/time/Time.tsx';
import { Address } from '../../../ui/values/Address.tsx';
import { accountSettingsQuery, type Deletion, type EmailChange, type Topic } from './accountQueries.ts';

const noVariables = {};

/** The account's address, notifications and deletion. While the address is being changed, each confirmation shows as soon as it arrives. */
export function AccountSettings() {
  const [result, read] = usePolledQuery({
    query: accountSettingsQuery,
    variables: noVariables,
    whileTrue: ({ accountSettings }) => accountSettings.emailChange != null,
    every: 4_000,
  });
  const readAgain = () => read({ requestPolicy: 'network-only' });
  return (
    <Loaded result={result} onRetry={readAgain}>
      {({ accountSettings: { email, emailChange, mutedNotifications, deletion } }) => (
        <>
          <AddressPanel email={email} change={emailChange} onChanged={readAgain} />
          <NotificationPanel muted={mutedNotifications} />
          <DeletionPanel email={email} deletion={deletion} onRefused={readAgain} />
        </>
      )}
    </Loaded>
  );
}

const setNotificationPreferencesMutation = graphql(`
  mutation SetNotificationPreferences($input: SetNotificationPreferencesInput!) {
    setNotificationPreferences(input: $input)
  }
`);

/**
 * Which optional emails the viewer gets, including those for the viewer's roles. A switch moves at once, and moves back if the choice could
 * not be saved.
 */
function NotificationPanel({ muted: stored }: { muted: readonly Topic[] }) {
  const [{ fetching, error }, save] = useMutation(setNotificationPreferencesMutation);
  const [muted, setMuted] = useState(stored);
  const roles = useSession().viewer?.roles ?? [];
  const switches = Object.entries(topicWords).filter(([, { role }]) => role === undefined || roles.includes(role));

  async function change(topic: Topic, on: boolean) {
    const former = muted;
    const next = on ? muted.filter((each) => each !== topic) : [...muted, topic];
    setMuted(next);
    const { data } = await save({ input: { muted: [...next] } });
    setMuted(data ? data.setNotificationPreferences : former);
  }

  return (
    <Panel title="Notifications" lead="Choose which optional emails you get. The portal shows all of this as well.">
      <Stack gap="md">
        {error && <ErrorMessage message={describeError(error).message} />}
        {switches.map(([name, { label, when }]) => {
          const topic = name as Topic;
          return (
            <Switch
              key={topic}
              label={label}
              description={Object.values(when).join(' ')}
              checked={!muted.includes(topic)}
              disabled={fetching}
              onChange={(event) => void change(topic, event.currentTarget.checked)}
            />
          );
        })}
        <Text size="sm" c="dimmed" maw={640}>
          {alwaysMailed}
        </Text>
      </Stack>
    </Panel>
  );
}

type DeletionPanelProps = { email: string; deletion: Deletion; onRefused: () => void };

/** Offers to delete the account, and lists what has to be done first. */
function DeletionPanel({ email, deletion, onRefused }: DeletionPanelProps) {
  const [asking, setAsking] = useState(false);
  const { submitted, undeleted } = deletion;
  const blocked = submitted.length > 0 || undeleted.length > 0;
  return (
    <Panel
      title="Delete account"
      lead="Retires your integrations and removes your address, passkeys, recovery codes and sessions. This cannot be undone. You can register again with the same address."
    >
      <Stack gap="md">
        {blocked && (
          <div style={{ overflowWrap: 'anywhere' }}>
            <Text fw={650} mb={4}>
              You cannot delete your account yet
            </Text>
            <List size="sm" spacing={4}>
              {submitted.map(({ slug, publicName }) => (
                <List.Item key={`submitted ${slug}`}>
                  <Anchor component={Link} to={integrationPaths(slug).overview()} inherit>
                    {publicName}
                  </Anchor>{' '}
                  is under review. Withdraw the submission or wait for the decision.
                </List.Item>
              ))}
              {undeleted.map(({ slug, publicName }) => (
                <List.Item key={`undeleted ${slug}`}>
                  <Anchor component={Link} to={integrationPaths(slug).deletions()} inherit>
                    {publicName}
                  </Anchor>{' '}
                  still holds users’ production data. Retire it if you have not done so, delete every copy, and record the deletions. You
                  can record several at once.
                </List.Item>
              ))}
            </List>
          </div>
        )}
        <div>
          <Button variant="default" disabled={blocked} onClick={() => setAsking(true)}>
            Delete account…
          </Button>
        </div>
        {asking && <DeleteAccountDialog email={email} deletion={deletion} onClose={() => setAsking(false)} onRefused={onRefused} />}
      </Stack>
    </Panel>
  );
}

const deleteAccountMutation = graphql(`
  mutation DeleteAccount {
    deleteAccount
  }
`);

type DeleteAccountDialogProps = { email: string; deletion: Deletion; onClose: () => void; onRefused: () => void };

/** Lists everything that will be deleted, asks for the passkey, and deletes the account. */
function DeleteAccountDialog({ email, deletion: { retires }, onClose, onRefused }: DeleteAccountDialogProps) {
  const [, deleteAccount] = useMutation(deleteAccountMutation);
  const confirmed = useFreshPasskey();
  const { leaveAfter } = useSession();
  const navigate = useNavigate();

  async function submit() {
    const { error } = await confirmed(() => deleteAccount({}));
    if (error) {
      if (error.code === 'CONFLICT') onRefused();
      return error.message;
    }
    await leaveAfter(navigate(paths.accountDeleted, { replace: true }));
    return null;
  }

  const retired = retirement(retires.map(({ publicName }) => publicName));
  return (
    <ConsequenceDialog
      title="Delete this account permanently?"
      object={
        <>
          The account of <strong>{email}</strong>
        </>
      }
      count={retires.length === 0 ? 'It has no integrations to retire.' : `${counted(retires.length, 'integration')} to retire`}
      changes={[
        'Your address, passkeys, recovery codes and sessions are removed.',
        ...(retired === null ? [] : [retired]),
        'This cannot be undone.',
      ]}
      unchanged={['The audit trail keeps a record under an anonymous identifier.', 'You can register again with the same address.']}
      takesEffect="This takes effect immediately. You confirm with your passkey, and we send you a final email once the account is deleted."
      verb="Delete permanently"
      tone="danger"
      onConfirm={submit}
      onClose={onClose}
    />
  );
}

const namedAtMost = 5;

function retirement(names: readonly string[]): string | null {
  if (names.length === 0) return null;
  const shown = names.slice(0, namedAtMost).map((name) => `“${name}”`);
  const rest = names.length - shown.length;
  const list = [...shown, ...(rest > 0 ? [`${rest} more`] : [])].join(', ');
  const what =
    names.length === 1
      ? 'is retired, its slug can never be used again, and its'
      : 'are retired, their slugs can never be used again, and their';
  return `${list} ${what} certificates, connections and link codes end.`;
}

const requestEmailChangeMutation = graphql(`
  mutation RequestEmailChange($input: RequestEmailChangeInput!) {
    requestEmailChange(input: $input) {
      newEmail
    }
  }
`);

type AddressPanelProps = { email: string; change: EmailChange | null; onChanged: () => void };

/** Shows the account's address and lets the reader change it. */
function AddressPanel({ email, change, onChanged }: AddressPanelProps) {
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
      title="Email address"
      lead="We send email about your account and integrations to this address. A change takes effect once both addresses have confirmed it, and ends all sessions."
    >
      <Stack gap="md">
        <Text style={{ overflowWrap: 'anywhere' }}>
          Current address:{' '}
          <strong>
            <Address value={email} />
          </strong>
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

const cancelEmailChangeMutation = graphql(`
  mutation CancelEmailChange {
    cancelEmailChange
  }
`);

type PendingEmailChangeProps = { email: string; change: EmailChange; onChanged: () => void };

/** Shows which of the two addresses has confirmed the change and which has not. */
function PendingEmailChange({ email, change, onChanged }: PendingEmailChangeProps) {
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
        We have emailed a separate link to each address. Open both and confirm; they expire <Time value={change.expiresAt} form="coming" />.
        This page updates by itself.
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
      <strong>
        <Address value={address} />
      </strong>
      : {confirmed ? 'confirmed' : 'not confirmed yet'}
    </List.Item>
  );
}
