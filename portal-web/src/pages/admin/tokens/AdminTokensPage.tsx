import { Button, Checkbox, Group, Modal, SegmentedControl, Stack, Text } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { useState } from 'react';
import { useMutation, useQuery } from 'urql';
import { OperatorLink } from '../../../features/administration/OperatorLink.tsx';
import {
  type CreatedToken,
  createServiceTokenMutation,
  permissionWords,
  revokeServiceTokenMutation,
  type ServiceToken,
  serviceTokensQuery,
  type TokenOrder,
  tokenOrders,
} from './tokenQueries.ts';
import { usePageActs } from '../../../features/search/usePageActs.ts';
import { useFreshPasskey } from '../../../features/passkey/useFreshPasskey.ts';
import { ConsequenceDialog } from '../../../ui/forms/ConsequenceDialog.tsx';
import { ShortText } from '../../../ui/forms/ShortText.tsx';
import { WholeNumberField } from '../../../ui/forms/WholeNumberField.tsx';
import { PageHeader } from '../../../ui/layout/PageHeader.tsx';
import { type Column, DataTable } from '../../../ui/lists/DataTable.tsx';
import { FilterChips } from '../../../ui/lists/FilterChips.tsx';
import { LoadedList } from '../../../ui/lists/LoadedList.tsx';
import { PagedList } from '../../../ui/lists/PagedList.tsx';
import { SearchField } from '../../../ui/lists/SearchField.tsx';
import { usePagination } from '../../../ui/lists/usePagination.ts';
import { useSearch } from '../../../ui/lists/useSearch.ts';
import { useUrlFilters } from '../../../ui/lists/useUrlFilters.ts';
import { EmptyState } from '../../../ui/states/EmptyState.tsx';
import { ErrorMessage } from '../../../ui/states/ErrorMessage.tsx';
import { Time } from '../../../ui/time/Time.tsx';
import { useNow } from '../../../ui/time/useNow.ts';
import { CopyableCode } from '../../../ui/values/CopyableCode.tsx';
import { EnvironmentTag } from '../../../ui/values/EnvironmentTag.tsx';
import { Identifier } from '../../../ui/values/Identifier.tsx';
import { StatusBadge } from '../../../ui/values/StatusBadge.tsx';

/** The tokens with which the order-tracking service's programs authenticate. */
export function Component() {
  const [filters, change] = useUrlFilters(['environment', 'order']);
  const pagination = usePagination();
  const environment = filters.environment === 'sandbox' || filters.environment === 'production' ? filters.environment : null;
  const order = tokenOrders.find(({ value }) => value === filters.order)?.value ?? 'newest';
  const [search, setSearch] = useSearch();
  const [result, read] = useQuery({
    query: serviceTokensQuery,
    variables: { environment, search: search || null, order, after: pagination.after },
    requestPolicy: 'cache-and-network',
  });
  const [creating, setCreating] = useState(false);
  usePageActs([{ label: 'New service token', run: () => setCreating(true) }]);
  const [revoked, setRevoked] = useState<ServiceToken | null>(null);
  const reread = () => read({ requestPolicy: 'network-only' });
  return (
    <Stack gap="md">
      <PageHeader
        title="Service tokens"
        lead="Each token belongs to one program of the order-tracking service and one environment, and expires."
        actions={
          <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={() => setCreating(true)}>
            New token
          </Button>
        }
      />
      <SearchField label="Search" description="Part of a name, or a complete svt_…" value={search} onChange={setSearch} />
      <TokenFilterBar environment={environment} order={order} onChange={change} />
      <LoadedList pagination={pagination} result={result} onRetry={reread}>
        {({ serviceTokens }) => (
          <PagedList
            label="Service tokens"
            pagination={pagination}
            page={serviceTokens}
            none={
              <EmptyState
                kind={environment || search || order === 'ending' ? 'nothingFits' : 'nothingYet'}
                title={environment || search || order === 'ending' ? 'No tokens match.' : 'There are no tokens yet.'}
              >
                {environment || search || order === 'ending'
                  ? 'Search for something else, or choose another environment or order.'
                  : 'The order-tracking service needs one to supply orders and create link codes.'}
              </EmptyState>
            }
          >
            {(tokens) => <TokenTable tokens={tokens} onRevoke={setRevoked} />}
          </PagedList>
        )}
      </LoadedList>
      {creating && <NewTokenDialog onClose={() => setCreating(false)} onCreated={reread} />}
      {revoked && <RevokeTokenDialog token={revoked} onClose={() => setRevoked(null)} onRevoked={reread} />}
    </Stack>
  );
}

type RevokeTokenDialogProps = { token: ServiceToken; onClose: () => void; onRevoked: () => void };

function RevokeTokenDialog({ token, onClose, onRevoked }: RevokeTokenDialogProps) {
  const [, revokeServiceToken] = useMutation(revokeServiceTokenMutation);
  const confirmed = useFreshPasskey();

  async function revoke(): Promise<string | null> {
    const { error } = await confirmed(() => revokeServiceToken({ input: { serviceTokenId: token.id } }));
    if (error) return error.message;
    onRevoked();
    return null;
  }

  return (
    <ConsequenceDialog
      title={`Revoke ${token.name}?`}
      object={
        <>
          <EnvironmentTag environment={token.environment} /> <code>{token.id}</code>
        </>
      }
      changes={['The program that holds it is refused from its next request.', 'This cannot be undone.']}
      unchanged={['What it has supplied stays.', 'Other tokens keep working.']}
      verb="Revoke token"
      tone="danger"
      onConfirm={revoke}
      onClose={onClose}
    />
  );
}

type TokenFilterBarProps = {
  environment: 'sandbox' | 'production' | null;
  order: TokenOrder;
  onChange: (changes: { environment?: string; order?: string }) => void;
};

const environments = [
  { value: '', label: 'both' },
  { value: 'sandbox', label: 'sandbox' },
  { value: 'production', label: 'production' },
];
const unset = (order: string) => (order === 'newest' ? '' : order);
const orders = tokenOrders.map(({ value, label }) => ({ value: unset(value), label: label.toLowerCase() }));

/** Which tokens are listed, and in which order. */
function TokenFilterBar({ environment, order, onChange }: TokenFilterBarProps) {
  return (
    <FilterChips
      label="Filter the tokens"
      choices={[
        { label: 'Environment', value: environment ?? '', options: environments, onChange: (value) => onChange({ environment: value }) },
        { label: 'Order', value: unset(order), options: orders, onChange: (value) => onChange({ order: value }) },
      ]}
      onClear={environment || unset(order) ? () => onChange({ environment: '', order: '' }) : null}
    />
  );
}

type TokenTableProps = { tokens: readonly ServiceToken[]; onRevoke: (token: ServiceToken) => void };

/** Service tokens, each with its permissions, who created it, when it was last used, and when it expires. */
function TokenTable({ tokens, onRevoke }: TokenTableProps) {
  const now = useNow();
  const isOver = ({ expiresAt, revokedAt }: ServiceToken) => revokedAt !== null || new Date(expiresAt) <= now;
  const columns: readonly Column<ServiceToken>[] = [
    {
      header: 'Token',
      cell: ({ id, name }) => (
        <>
          {name}
          <Text size="sm" component="div">
            <Identifier value={id} />
          </Text>
        </>
      ),
    },
    { header: 'Environment', cell: ({ environment }) => <EnvironmentTag environment={environment} /> },
    { header: 'Permissions', cell: ({ permissions }) => permissions.map((each) => <div key={each}>{each}</div>) },
    {
      header: 'Created',
      breaks: true,
      wide: true,
      cell: ({ createdAt, createdBy, createdByName }) => (
        <>
          <Time value={createdAt} />
          <div>
            {createdBy ? 'by ' : 'at the server’s terminal'}
            {createdBy && <OperatorLink id={createdBy} name={createdByName} />}
          </div>
        </>
      ),
    },
    { header: 'Last used', cell: ({ lastUsedAt }) => (lastUsedAt ? <Time value={lastUsedAt} /> : 'Never') },
    {
      header: 'Ends',
      cell: (token) => (
        <>
          <StatusBadge tone={isOver(token) ? 'stopped' : 'good'}>
            {token.revokedAt ? 'Revoked' : isOver(token) ? 'Expired' : 'Valid'}
          </StatusBadge>
          <div>
            <Time value={token.revokedAt ?? token.expiresAt} />
          </div>
        </>
      ),
    },
    {
      header: 'Revoke',
      actions: true,
      cell: (token) =>
        !isOver(token) && (
          <Button variant="default" size="xs" onClick={() => onRevoke(token)} aria-label={`Revoke ${token.name}`}>
            Revoke
          </Button>
        ),
    },
  ];
  return <DataTable caption="Service tokens" columns={columns} rows={tokens} rowKey={({ id }) => id} />;
}

/** Creates a service token and shows its text, which is never shown again. */
function NewTokenDialog({ onClose, onCreated }: { onClose: () => void; onCreated: () => void }) {
  const [created, setCreated] = useState<CreatedToken | null>(null);
  if (created) {
    return (
      <Modal opened onClose={() => {}} withCloseButton={false} closeOnEscape={false} closeOnClickOutside={false} title="The new token">
        <ShownOnce created={created} onSaved={onClose} />
      </Modal>
    );
  }
  return (
    <Modal opened onClose={onClose} title="New service token" closeButtonProps={{ 'aria-label': 'Close' }}>
      <TokenForm
        onClose={onClose}
        onCreated={(token) => {
          setCreated(token);
          onCreated();
        }}
      />
    </Modal>
  );
}

function TokenForm({ onClose, onCreated }: { onClose: () => void; onCreated: (created: CreatedToken) => void }) {
  const [, createServiceToken] = useMutation(createServiceTokenMutation);
  const confirmed = useFreshPasskey();
  const [name, setName] = useState('');
  const [environment, setEnvironment] = useState<'sandbox' | 'production'>('sandbox');
  const [permissions, setPermissions] = useState<string[]>([]);
  const [days, setDays] = useState<number | string>(90);
  const [problem, setProblem] = useState<{ message: string; fields: Readonly<Record<string, string>> } | null>(null);
  const [busy, setBusy] = useState(false);
  const fields = problem?.fields ?? {};

  async function create() {
    setBusy(true);
    const input = { name, environment, permissions, expiresInDays: Number(days) };
    const { data, error } = await confirmed(() => createServiceToken({ input }));
    setBusy(false);
    if (error) return setProblem(error);
    onCreated(data.createServiceToken);
  }

  return (
    <Stack gap="md">
      {problem && Object.keys(fields).length === 0 && <ErrorMessage message={problem.message} />}
      <ShortText
        label="Name"
        description="The program that will use it."
        required
        longest={100}
        value={name}
        onChange={(event) => setName(event.currentTarget.value)}
        error={fields['name']}
      />
      <div>
        <Text size="sm" fw={550} id="token-environment">
          Environment
        </Text>
        <SegmentedControl
          aria-labelledby="token-environment"
          data={[
            { value: 'sandbox', label: 'Sandbox' },
            { value: 'production', label: 'Production' },
          ]}
          value={environment}
          onChange={(value) => setEnvironment(value === 'production' ? 'production' : 'sandbox')}
        />
      </div>
      <Checkbox.Group
        label="Permissions"
        description="Grant only what the program needs."
        required
        value={permissions}
        onChange={setPermissions}
        error={fields['permissions']}
      >
        <Stack gap="xs" mt="xs">
          {Object.entries(permissionWords).map(([value, words]) => (
            <Checkbox key={value} value={value} label={value} description={words} />
          ))}
        </Stack>
      </Checkbox.Group>
      <WholeNumberField
        label="Days until it expires"
        description="1 to 365."
        value={days}
        onChange={setDays}
        error={fields['expiresInDays']}
      />
      <Group justify="flex-end" gap="sm">
        <Button variant="default" onClick={onClose}>
          Cancel
        </Button>
        <Button loading={busy} disabled={name.trim() === '' || permissions.length === 0} onClick={() => void create()}>
          Create token
        </Button>
      </Group>
    </Stack>
  );
}

function ShownOnce({ created: { token, serviceToken }, onSaved }: { created: CreatedToken; onSaved: () => void }) {
  const [saved, setSaved] = useState(false);
  return (
    <Stack gap="md">
      <Text>
        This is the token of {serviceToken.name}. It is shown only once and is not stored. Give it to the program, and to nothing that logs
        or forwards it.
      </Text>
      <CopyableCode value={token} label="the token" block wraps />
      <Checkbox label="I have saved it" checked={saved} onChange={(event) => setSaved(event.currentTarget.checked)} />
      <Group justify="flex-end">
        <Button disabled={!saved} onClick={onSaved}>
          Done
        </Button>
      </Group>
    </Stack>
  );
}
