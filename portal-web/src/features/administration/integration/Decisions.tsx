import { Anchor, Text } from '@mantine/core';
import { Link } from 'react-router';
import { Panel } from '../../../ui/layout/Panel.tsx';
import { Timeline, type TimelineEntry } from '../../../ui/time/Timeline.tsx';
import type { StatusTone } from '../../../ui/values/statusTone.ts';
import { actionWords, actorTypeWords } from '../../audit/auditWords.ts';
import { auditPathOf } from '../auditPathOf.ts';
import type { Decision } from '../integrationQueries.ts';
import { OperatorLink } from '../OperatorLink.tsx';

/** How each kind of decision is marked. */
const tones: Readonly<Record<string, StatusTone>> = {
  'integration.approved': 'good',
  'integration.rejected': 'bad',
  'integration.activated': 'good',
  'integration.suspended': 'bad',
  'integration.reactivated': 'good',
  'integration.retired': 'stopped',
  'integration.gate_opened': 'good',
  'integration.gate_closed': 'stopped',
  'quota_override.set': 'neutral',
  'quota_override.withdrawn': 'neutral',
  'commercial_agreement.recorded': 'neutral',
  'commercial_agreement.withdrawn': 'stopped',
};
type DecisionsProps = { integrationId: string; decisions: readonly Decision[] };

/** What was decided last about the integration. The audit trail has everything. */
export function Decisions({ integrationId, decisions }: DecisionsProps) {
  return (
    <Panel title="Decisions">
      {decisions.length === 0 ? (
        <Text size="sm" c="dimmed">
          Nothing has been decided about this integration.
        </Text>
      ) : (
        <Timeline label="Decisions" entries={decisions.map(entryOf)} />
      )}
      <Text size="sm" mt="sm">
        <Anchor component={Link} to={auditPathOf(integrationId)} inherit>
          Entries about this integration
        </Anchor>
      </Text>
    </Panel>
  );
}

function entryOf({ id, action, occurredAt, actorType, actorId, actorName }: Decision): TimelineEntry {
  return {
    key: id,
    tone: tones[action] ?? 'neutral',
    what: actionWords(action),
    at: occurredAt,
    by: actorType === 'operator' && actorId ? <OperatorLink id={actorId} name={actorName} /> : (actorTypeWords[actorType] ?? actorType),
  };
}
