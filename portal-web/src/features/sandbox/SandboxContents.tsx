import { SegmentedControl, Stack } from '@mantine/core';
import { useUrlFilters } from '../../ui/lists/useUrlFilters.ts';
import { LinkCodeList } from '../link-codes/LinkCodeList.tsx';
import { ConnectionList } from './ConnectionList.tsx';
import { ResourceList } from './ResourceList.tsx';
import type { Sandbox } from './sandboxQueries.ts';

const views = ['resources', 'connections', 'codes'] as const;

type SandboxContentsProps = { clientId: string; sandbox: Sandbox };

/** What is in the sandbox, in one table, latest change first: the shared resources, the connections or the link codes. */
export function SandboxContents({ clientId, sandbox }: SandboxContentsProps) {
  const [{ show, code }, change] = useUrlFilters(['show', 'code', 'type', 'status', 'connection', 'resource'], null);
  const view = views.find((each) => each === show) ?? (code ? 'codes' : 'resources');
  return (
    <Stack gap="sm">
      <SegmentedControl
        aria-label="What is listed"
        size="xs"
        w="fit-content"
        maw="100%"
        value={view}
        onChange={(value) =>
          change({ show: value === 'resources' ? '' : value, code: '', type: '', status: '', connection: '', resource: '' })
        }
        data={[
          { value: 'resources', label: 'Resources' },
          { value: 'connections', label: `Connections (${sandbox.connections.toLocaleString('en')})` },
          { value: 'codes', label: 'Link codes' },
        ]}
      />
      {view === 'resources' && <ResourceList {...{ clientId, sandbox }} />}
      {view === 'connections' && <ConnectionList clientId={clientId} onShow={(connection) => change({ show: '', code: '', connection })} />}
      {view === 'codes' && <LinkCodeList clientId={clientId} />}
    </Stack>
  );
}
