import { Anchor, Text } from '@mantine/core';
import { Link } from 'react-router';
import { paths } from '../../../paths.ts';
import { Panel } from '../../../ui/layout/Panel.tsx';
import { DataTable, type Column } from '../../../ui/lists/DataTable.tsx';
import { Time } from '../../../ui/time/Time.tsx';
import { actionWords } from '../../audit/auditWords.ts';
import type { AdminHome, StaffAct } from './homeQuery.ts';
import { OperatorLink } from '../OperatorLink.tsx';
import { NotRead } from './ServiceTraffic.tsx';

/** What the reader’s colleagues have decided lately. */
export function StaffActs({ acts }: { acts: AdminHome['staffActs'] }) {
  return (
    <Panel title="Colleagues’ last acts">
      {!acts && <NotRead what="The acts" />}
      {acts?.length === 0 && (
        <Text size="sm" c="dimmed">
          None in the last 30 days.
        </Text>
      )}
      {acts && acts.length > 0 && <DataTable caption="Colleagues’ last acts" columns={columns} rows={acts} rowKey={({ id }) => id} />}
      <Text size="sm" mt="sm">
        <Anchor component={Link} to={paths.adminAudit} inherit>
          All of the audit trail
        </Anchor>
      </Text>
    </Panel>
  );
}

const columns: readonly Column<StaffAct>[] = [
  { header: 'Act', breaks: true, cell: ({ action, subjectName }) => [actionWords(action), subjectName].filter(Boolean).join(': ') },
  { header: 'By', breaks: true, cell: ({ actorId, actorName }) => actorId && <OperatorLink id={actorId} name={actorName} /> },
  { header: 'Time', cell: ({ occurredAt }) => <Time value={occurredAt} /> },
];
