import { Alert, Button, Group, Stack, Switch, Text } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import { useMutation, useQuery } from 'urql';
import { keepRecoveryCodes } from '../../../features/passkey/recoveryCodes.ts';
import { useFreshPasskey } from '../../../features/passkey/useFreshPasskey.ts';
import { useSession } from '../../../features/session/SessionContext.ts';
import { AcceptancesPanel } from '../../../features/terms/AcceptancesPanel.tsx';
import { termsAcceptancesPart, termsAcceptancesQuery } from '../../../features/terms/termsQueries.ts';
import { describeError } from '../../../graphql/describeError.ts';
import { graphql } from '../../../graphql/graphql.ts';
import { pageLoader } from '../../../graphql/pageLoader.ts';
import { share } from '../../../graphql/questions.ts';
import { useFirstRead } from '../../../graphql/useFirstRead.ts';
import { paths } from '../../../paths.ts';
import { ConsequenceDialog } from '../../../ui/forms/ConsequenceDialog.tsx';
import { PageHeader } from '../../../ui/layout/PageHeader.tsx';
import { Panel } from '../../../ui/layout/Panel.tsx';
import { usePagination } from '../../../ui/lists/usePagination.ts';
import { ErrorMessage } from '../../../ui/states/ErrorMessage.tsx';
import { Loaded } from '../../../ui/states/Loaded.tsx';
import { PageLoading } from '../../../ui/states/PageLoading.tsx';
import { counted } from '../../../ui/text/counted.ts';
import { Time } from '../../../ui/time/Time.tsx';
import {
  accountPart,
  accountQuery,
  accountSettingsPart,
  accountSettingsQuery,
  sessionPage,
  sessionsPart,
  sessionsQuery,
} from './accountQueries.ts';
import { AccountSettings } from './AccountSettings.tsx';
import { PasskeyPanel } from './PasskeyPanel.tsx';
import { SessionPanel } from './SessionPanel.tsx';

const pageQuery = graphql(
  `
    query AccountPage($first: Int!, $after: String) {
      ...AccountPart
      ...SessionsPart
      ...TermsAcceptancesPart
      ...AccountSettingsPart
    }
  `,
  [accountPart, sessionsPart, termsAcceptancesPart, accountSettingsPart],
);

export const loader = pageLoader(({ ask, plain }) => {
  if (!plain) return;
  const first = sessionPage(null);
  ask(
    pageQuery,
    first,
    share(accountQuery, {}, ({ account }) => ({ account })),
    share(sessionsQuery, first, ({ sessions }) => ({ sessions })),
    share(termsAcceptancesQuery, {}, ({ viewer }) => ({ viewer })),
    share(accountSettingsQuery, {}, ({ accountSettings }) => ({ accountSettings })),
  );
});

/** How the reader signs in to the account and recovers it, and which emails it gets. */
export function Component() {
  const { viewer } = useSession();
  const ready = useAccountRead();
  return (
    <>
      <PageHeader
        title="Account"
        lead={
          <>
            How you sign in as <strong>{viewer?.email}</strong>, where you are signed in, and how you recover access.
          </>
        }
      />
      {ready ? (
        <Stack gap="lg">
          <ResetNotice />
          <PasskeyPanel />
          <SessionPanel />
          <RecoveryCodePanel />
          <AcceptancesPanel />
          <KeysPanel />
          <AccountSettings />
        </Stack>
      ) : (
        <PageLoading />
      )}
    </>
  );
}

/** Reads the data of all panels, and is true once everything is there. */
function useAccountRead(): boolean {
  const pagination = usePagination('sessions');
  const requestPolicy = 'cache-and-network';
  const [account] = useQuery({ query: accountQuery, requestPolicy });
  const [sessions] = useQuery({ query: sessionsQuery, variables: sessionPage(pagination.after), requestPolicy });
  const [acceptances] = useQuery({ query: termsAcceptancesQuery, requestPolicy });
  const [settings] = useQuery({ query: accountSettingsQuery, requestPolicy });
  return useFirstRead(account, sessions, acceptances, settings);
}

const setSingleKeysMutation = graphql(`
  mutation SetSingleKeys($input: SetSingleKeysInput!) {
    setSingleKeys(input: $input)
  }
`);

/** Whether single keys do something. Anyone who dictates, or presses keys by accident, switches them off. */
function KeysPanel() {
  const { viewer, refresh } = useSession();
  const [{ fetching, error }, save] = useMutation(setSingleKeysMutation);

  async function change(on: boolean) {
    const { data } = await save({ input: { on } });
    if (data) refresh();
  }

  return (
    <Panel title="Keyboard shortcuts" lead="The account menu lists the keys that work on each page.">
      <Stack gap="md">
        {error && <ErrorMessage message={describeError(error).message} />}
        <Switch
          label="Single-key shortcuts"
          description="For example, / opens the search. If you turn them off, ⌘K and Ctrl K still work, and everything has a button or a link."
          checked={viewer?.singleKeys ?? true}
          disabled={fetching}
          onChange={(event) => void change(event.currentTarget.checked)}
        />
      </Stack>
    </Panel>
  );
}

const cancelAccountResetMutation = graphql(`
  mutation CancelAccountReset($input: AccountResetInput!) {
    cancelAccountReset(input: $input)
  }
`);

/** Tells an owner that administrators are about to reset the account, and cancels it. */
function ResetNotice() {
  const [{ data }, read] = useQuery({ query: accountQuery });
  const [{ fetching, error }, cancel] = useMutation(cancelAccountResetMutation);
  const reset = data?.account.reset;
  if (!reset) return null;

  async function stop(resetId: string) {
    await cancel({ input: { resetId } });
    read({ requestPolicy: 'network-only' });
  }

  return (
    <Alert color="red" variant="outline" icon={<IconAlertTriangle aria-hidden />}>
      <Stack gap="sm" align="flex-start">
        <Text fw={650}>Administrators want to reset this account</Text>
        <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
          They were told that its passkeys and recovery codes are lost (“{reset.reason}”).{' '}
          {reset.dueAt ? (
            <>
              From <Time value={reset.dueAt} form="date" /> on, a link that is emailed to your address creates a new passkey, and all
              previous ones stop working.
            </>
          ) : (
            'A second administrator has yet to approve it.'
          )}{' '}
          You are signed in, so you do not need it.
        </Text>
        {error && <ErrorMessage message={describeError(error).message} />}
        <Button variant="default" loading={fetching} onClick={() => void stop(reset.id)}>
          Cancel the reset
        </Button>
      </Stack>
    </Alert>
  );
}

const regenerateRecoveryCodesMutation = graphql(`
  mutation RegenerateRecoveryCodes {
    regenerateRecoveryCodes
  }
`);

const few = 3;

/** Shows how many recovery codes are left, and generates new ones. */
function RecoveryCodePanel() {
  const [result, read] = useQuery({ query: accountQuery });
  const [asking, setAsking] = useState(false);
  return (
    <Panel
      title="Recovery codes"
      lead="For when you have no passkey at hand. Using a code removes all passkeys, ends all sessions, and lets you create a new passkey."
    >
      <Loaded shape="text" result={result} onRetry={() => read({ requestPolicy: 'network-only' })}>
        {({ account: { recoveryCodes } }) => (
          <Group justify="space-between" gap="sm">
            <Text>
              {recoveryCodes ? (
                <>
                  <strong>{counted(recoveryCodes.unused, 'code')}</strong> left, generated <Time value={recoveryCodes.createdAt} />.{' '}
                  {recoveryCodes.unused <= few ? 'Generate new codes before you run out.' : 'They cannot be shown again.'}
                </>
              ) : (
                'You have none. Generate some and keep them in a safe place.'
              )}
            </Text>
            <Button variant="default" onClick={() => setAsking(true)}>
              Generate new codes
            </Button>
          </Group>
        )}
      </Loaded>
      {asking && <RegenerateDialog unused={result.data?.account.recoveryCodes?.unused ?? 0} onClose={() => setAsking(false)} />}
    </Panel>
  );
}

function RegenerateDialog({ unused, onClose }: { unused: number; onClose: () => void }) {
  const [, regenerate] = useMutation(regenerateRecoveryCodesMutation);
  const confirmed = useFreshPasskey();
  const navigate = useNavigate();

  async function submit() {
    const { data, error } = await confirmed(() => regenerate({}));
    if (error) return error.message;
    keepRecoveryCodes(data.regenerateRecoveryCodes, { goOnTo: paths.account, replaceOthers: true });
    await navigate(paths.recoveryCodes);
    return null;
  }

  return (
    <ConsequenceDialog
      title="Generate new recovery codes?"
      object="The recovery codes of your account."
      count={`${counted(unused, 'code')} left`}
      changes={[
        unused > 0 ? 'Your existing codes stop working at once.' : 'You have codes to recover your account with.',
        'The new ones are shown only once, so be ready to save them.',
      ]}
      unchanged={['Passkeys and sessions stay.']}
      verb="Generate new codes"
      onConfirm={submit}
      onClose={onClose}
    />
  );
}
