import { Anchor, Text } from '@mantine/core';
import { Link } from 'react-router';
import type { UseQueryState } from 'urql';
import type { ResultOf } from '../../../graphql/graphql.ts';
import { Panel } from '../../../ui/layout/Panel.tsx';
import { Timeline, type TimelineEntry } from '../../../ui/time/Timeline.tsx';
import { Loaded } from '../../../ui/states/Loaded.tsx';
import type { StatusTone } from '../../../ui/values/statusTone.ts';
import type { AuditEntry, auditTrailQuery } from '../../audit/auditQuery.ts';
import { actionWords, actorTypeWords } from '../../audit/auditWords.ts';
import { auditPathOf } from '../auditPathOf.ts';
import { OperatorLink } from '../OperatorLink.tsx';

/** What changes the access of an integration, whoever decided it: a person, the terminal, or the service for a missed deletion. */
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
/** As many as leave the page within a screen’s length. The audit trail has them all. */
const shown = 3;

type DecisionsProps = { integrationId: string; trail: UseQueryState<ResultOf<typeof auditTrailQuery>>; onRetry: () => void };

/** What was decided about the integration lately, as far as the latest entries of the audit trail go. */
export function Decisions({ integrationId, trail, onRetry }: DecisionsProps) {
  return (
    <Panel title="Decisions">
      <Loaded result={trail} onRetry={onRetry}>
        {({ auditTrail: { edges } }) => {
          const decided = edges.map(({ node }) => node).filter(({ action }) => action in tones);
          return decided.length === 0 ? (
            <Text size="sm" c="dimmed">
              None among the latest {edges.length} entries.
            </Text>
          ) : (
            <Timeline label="Decisions" entries={decided.slice(0, shown).map(entryOf)} />
          );
        }}
      </Loaded>
      <Text size="sm" mt="sm">
        <Anchor component={Link} to={auditPathOf(integrationId)} inherit>
          Entries about this integration
        </Anchor>
      </Text>
    </Panel>
  );
}

function entryOf({ id, action, occurredAt, actorType, actorId, actorName }: AuditEntry): TimelineEntry {
  return {
    key: id,
    tone: tones[action] ?? 'neutral',
    what: actionWords(action),
    at: occurredAt,
    by: actorType === 'operator' && actorId ? <OperatorLink id={actorId} name={actorName} /> : (actorTypeWords[actorType] ?? actorType),
  };
}
