import { Button, Checkbox, Group, NativeSelect, Stack, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import { useMutation, useQuery } from 'urql';
import { shippingEventKinds } from '../../../../../server/domain/tracking/statusFacts.ts';
import { useReadOnly } from '../../../features/integration/ownerView.ts';
import { type DescribedError, describeError } from '../../../graphql/describeError.ts';
import { Dialog } from '../../../ui/forms/Dialog.tsx';
import { type Column, DataTable } from '../../../ui/lists/DataTable.tsx';
import { FilterChips } from '../../../ui/lists/FilterChips.tsx';
import { LoadedList } from '../../../ui/lists/LoadedList.tsx';
import { PagedList } from '../../../ui/lists/PagedList.tsx';
import type { RowAction } from '../../../ui/lists/RowMenu.tsx';
import { SearchField } from '../../../ui/lists/SearchField.tsx';
import { usePagination } from '../../../ui/lists/usePagination.ts';
import { EmptyState } from '../../../ui/states/EmptyState.tsx';
import { ErrorMessage } from '../../../ui/states/ErrorMessage.tsx';
import { Time } from '../../../ui/time/Time.tsx';
import { Identifier } from '../../../ui/values/Identifier.tsx';
import { StatusBadge } from '../../../ui/values/StatusBadge.tsx';
import { listedWords, movedWords, possibleSteps, statusBadge, statusesOf, statusWords } from './sandboxWords.ts';
import { type RevokedShare, RevokeShareDialog } from './RevokeShareDialog.tsx';
import { addSandboxShippingEventMutation } from './sandboxMutations.ts';
import { resourcePage, type Sandbox, sandboxContext, type SandboxResource, sandboxResourcesQuery } from './sandboxQueries.ts';
import { useFollowing } from './useFollowing.ts';
import { isNarrowed, noFilters, type ResourceFilters, useResourceFilters } from './useResourceFilters.ts';
import { useSimulator } from './useSimulator.ts';

type ResourceListProps = { clientId: string; sandbox: Sandbox };

/** The resources of the test data, the most recently changed or revoked first. */
export function ResourceList({ clientId, sandbox }: ResourceListProps) {
  const [filters, changeFilters] = useResourceFilters();
  const types = (['order', 'vehicle'] as const).filter((type) => (type === 'order' ? sandbox.orders : sandbox.vehicles) > 0);
  return (
    <>
      <ResourceFilterBar filters={filters} onChange={changeFilters} types={types} />
      <FilteredResources
        key={JSON.stringify(filters)}
        {...{ clientId, sandbox, filters }}
        onConnection={(connectionId) => changeFilters({ ...noFilters, connectionId })}
      />
    </>
  );
}

type FilteredResourcesProps = {
  clientId: string;
  sandbox: Sandbox;
  filters: ResourceFilters;
  onConnection: (connectionId: string) => void;
};

function FilteredResources({ clientId, sandbox, filters, onConnection }: FilteredResourcesProps) {
  const pagination = usePagination('resources');
  const [result, read] = useQuery({
    query: sandboxResourcesQuery,
    variables: resourcePage(clientId, filters, pagination.after),
    context: sandboxContext,
  });
  useFollowing(sandbox, read);
  const { advance, problem } = useSimulator(clientId);
  const [moved, setMoved] = useState<{ id: string; after: string } | null>(null);
  const [shipping, setShipping] = useState<SandboxResource | null>(null);
  const [revoked, setRevoked] = useState<{ resource: SandboxResource; share: RevokedShare } | null>(null);

  function act(action: ResourceAction, resource: SandboxResource) {
    const { id, connectionId } = resource;
    if (action === 'ship') setShipping(resource);
    else if (action === 'revoke') setRevoked({ resource, share: { resourceId: id } });
    else if (action === 'revokeConnection') setRevoked({ resource, share: { connectionId, liveResources: null } });
    else if (action === 'showConnection') onConnection(connectionId);
    else void advance({ resourceId: id, ending: action === 'end' }).then((done) => done && noteMove(resource));
  }

  // What has changed comes first in the list, so the row is no longer on a later page.
  function noteMove({ id }: SandboxResource) {
    setMoved(pagination.after === null ? null : { id, after: pagination.after });
  }

  const filtered = isNarrowed(filters);

  return (
    <LoadedList pagination={pagination} result={result} onRetry={() => read({ requestPolicy: 'network-only' })}>
      {({ sandboxResources }) => (
        <div>
          {problem && <ErrorMessage message={problem} />}
          <Text size="sm" c="dimmed" role="status">
            {listedWords(sandboxResources)}, latest change first
          </Text>
          <PagedList
            label="Shared resources"
            pagination={pagination}
            page={sandboxResources}
            note={moved?.after === pagination.after ? movedWords(moved.id, filtered) : null}
            none={
              <EmptyState
                kind={filtered ? 'nothingFits' : 'nothingYet'}
                title={filtered ? 'Nothing here matches the filters.' : 'Nothing is shared.'}
              >
                {filtered ? 'Change or clear the filters.' : 'To share more, generate a link code and redeem it.'}
              </EmptyState>
            }
          >
            {(resources) => <ResourceTable {...{ resources }} scopes={sandbox.grantableScopes} onAction={act} />}
          </PagedList>
          {shipping && (
            <ShippingEventDialog
              clientId={clientId}
              resourceId={shipping.id}
              onDone={() => noteMove(shipping)}
              onClose={() => setShipping(null)}
            />
          )}
          {revoked && (
            <RevokeShareDialog
              clientId={clientId}
              share={revoked.share}
              onDone={() => noteMove(revoked.resource)}
              onClose={() => setRevoked(null)}
            />
          )}
        </div>
      )}
    </LoadedList>
  );
}

type Props = { filters: ResourceFilters; onChange: (change: Partial<ResourceFilters>) => void; types: readonly ('order' | 'vehicle')[] };

const typeOptions = [
  { value: '', label: 'both' },
  { value: 'order', label: 'orders' },
  { value: 'vehicle', label: 'stock vehicles' },
];

/** Filters the list of the test data's resources. */
function ResourceFilterBar({ filters, onChange, types }: Props) {
  const { type, status, connectionId, id } = filters;
  const statuses = (type ? [type] : types).flatMap(statusesOf);
  const ofType = {
    label: 'Type',
    value: type ?? '',
    options: typeOptions,
    onChange: (value: string) => onChange({ type: (value || null) as ResourceFilters['type'], status: null }),
  };
  const ofStatus = {
    label: 'Status',
    value: status ?? '',
    options: [{ value: '', label: 'any' }, ...statuses.map((value) => ({ value, label: statusWords(value) }))],
    onChange: (value: string) => onChange({ status: value || null }),
  };
  const given = connectionId
    ? [{ label: 'Connection', words: `…${connectionId.slice(-8)}`, onRemove: () => onChange({ connectionId: null }) }]
    : [];
  return (
    <FilterChips
      label="Filter the shared resources"
      choices={types.length > 1 ? [ofType, ofStatus] : [ofStatus]}
      given={given}
      onClear={isNarrowed(filters) ? () => onChange(noFilters) : null}
    >
      <SearchField label="ID" inRow placeholder="ord_… or veh_…" value={id ?? ''} onChange={(value) => onChange({ id: value || null })} />
    </FilterChips>
  );
}

/** What the reader can do with a resource, and with its connection. */
type ResourceAction = 'advance' | 'end' | 'ship' | 'revoke' | 'showConnection' | 'revokeConnection';

type ResourceTableProps = {
  resources: readonly SandboxResource[];
  scopes: readonly string[];
  onAction: (action: ResourceAction, resource: SandboxResource) => void;
};

/** Resources of the test data, each with a menu of what can be made happen to it. */
function ResourceTable({ resources, scopes, onAction }: ResourceTableProps) {
  const readOnly = useReadOnly();

  function actionsOf(resource: SandboxResource): RowAction[] {
    const possible = possibleSteps(resource, scopes);
    const over = resource.revoked ? 'Already revoked.' : 'This is its final status.';
    const act = (action: ResourceAction, label: string, disabledBecause: string | null = null): RowAction => ({
      label,
      disabledBecause,
      onSelect: () => onAction(action, resource),
    });
    const looks = [{ label: 'Copy ID', copy: resource.id }, act('showConnection', 'Show all of its connection')];
    if (readOnly) return looks;
    return [
      ...looks,
      act('advance', 'Advance', possible.advance ? null : over),
      ...(possible.ship ? [act('ship', 'Shipping event')] : []),
      ...(possible.end ? [act('end', resource.type === 'order' ? 'Cancel' : 'Withdraw')] : []),
      act('revoke', 'Revoke', possible.revoke ? null : over),
      act('revokeConnection', 'Revoke its connection', possible.revoke ? null : over),
    ];
  }

  return <DataTable caption="Shared resources" columns={columns} rows={resources} rowKey={({ id }) => id} actions={actionsOf} />;
}

const columns: readonly Column<SandboxResource>[] = [
  {
    header: 'Resource',
    breaks: true,
    cell: (resource) => (
      <>
        <Identifier value={resource.id} copy={false} />
        <Text size="xs" c="dimmed" fw={400}>
          {[resource.type === 'order' ? 'Order' : 'Stock vehicle', resource.model, resource.market, `revision ${resource.revision}`]
            .filter(Boolean)
            .join(' · ')}
        </Text>
      </>
    ),
  },
  {
    header: 'Status',
    cell: (resource) => {
      const { tone, word } = statusBadge(resource);
      return <StatusBadge tone={tone}>{word}</StatusBadge>;
    },
  },
  { header: 'Changed', cell: ({ updatedAt }) => <Time value={updatedAt} /> },
];

type ShippingEventDialogProps = {
  clientId: string;
  resourceId: string;
  /** Called once it is done, before the dialog closes. */
  onDone?: () => void;
  onClose: () => void;
};

const notATime = 'Enter a time whose year has four digits.';

/** Adds a shipping event to an order's voyage. */
function ShippingEventDialog({ clientId, resourceId, onDone, onClose }: ShippingEventDialogProps) {
  const [{ fetching }, addEvent] = useMutation(addSandboxShippingEventMutation);
  const [kind, setKind] = useState<(typeof shippingEventKinds)[number]>('transshipped');
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
            data={[...shippingEventKinds]}
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
