import { Button, Group, Stack } from '@mantine/core';
import { useState } from 'react';
import { deletionFacts } from '../../../../server/domain/sharing/deletionFacts.ts';
import { usePolledQuery } from '../../graphql/usePolledQuery.ts';
import { LoadedList } from '../../ui/lists/LoadedList.tsx';
import { PagedList } from '../../ui/lists/PagedList.tsx';
import type { RowAction } from '../../ui/lists/RowMenu.tsx';
import { usePlace } from '../../ui/lists/usePlace.ts';
import { counted } from '../../ui/text/counted.ts';
import { useNow } from '../../ui/time/useNow.ts';
import type { Client } from '../integration/integrationQuery.ts';
import { keyNameOf } from '../integration/keyNameOf.ts';
import { useReadOnly } from '../integration/ownerView.ts';
import { useIntegration } from '../integration/useIntegration.ts';
import { acknowledgementCommand } from './acknowledgementCommand.ts';
import { AcknowledgeByCommand } from './AcknowledgeByCommand.tsx';
import { DeletionFilterBar } from './DeletionFilterBar.tsx';
import { DeletionSummary } from './DeletionSummary.tsx';
import { DeletionTable } from './DeletionTable.tsx';
import { NoDeletions } from './NoDeletions.tsx';
import { RecordDeletionsDialog, type DeletionsToRecord } from './RecordDeletionsDialog.tsx';
import { refusalOfAcknowledgements } from './refusalOfAcknowledgements.ts';
import { revocationsPage, revocationsQuery, type Revocation } from './revocationsQuery.ts';
import { useDeletionFilters } from './useDeletionFilters.ts';
import { WhatToDelete } from './WhatToDelete.tsx';

const fresh = { requestPolicy: 'cache-and-network' } as const;

/** What a client has to delete, with the time left, what has been deleted, and the ways to say that it is. */
export function Deletions({ client }: { client: Client }) {
  const { integration, service } = useIntegration();
  const { slug, phases } = integration;
  const { environment } = client;
  const phase = phases[environment];
  const [filters, changeFilters] = useDeletionFilters();
  const place = usePlace();
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set());
  const [recording, setRecording] = useState<DeletionsToRecord | null>(null);
  const now = useNow();
  const readOnly = useReadOnly();
  const { state } = filters;
  const [result, read] = usePolledQuery({
    query: revocationsQuery,
    variables: revocationsPage(slug, environment, filters, place.after),
    // The operator's back end acknowledges deletions, so the page has to poll for acknowledgements.
    whileTrue: ({ revocations }) => revocations.outstandingCount > 0,
    every: 5000,
    context: fresh,
  });
  const reread = () => read({ requestPolicy: 'network-only' });
  const facts = { ...service, keyName: keyNameOf(client) };
  const refusal = refusalOfAcknowledgements(phase);
  const accepts = (each: Revocation) => !refusal && !each.acknowledgedAt && (each.fixture || new Date(each.deletionDeadlineAt) > now);

  function actionsOf(revocation: Revocation): RowAction[] {
    const { id: revocationId, connectionId, acknowledgedAt } = revocation;
    const copies: RowAction[] = [{ label: 'Copy ID', copy: revocationId }];
    if (acknowledgedAt || readOnly) return copies;
    const command = { label: 'Copy the acknowledgement command', copy: acknowledgementCommand(revocationId, facts) };
    return [
      ...copies,
      accepts(revocation) ? command : { ...command, disabledBecause: refusal ?? 'The deadline has passed. Record the deletion instead.' },
      { label: 'Record this deletion', onSelect: () => setRecording({ revocationIds: [revocationId] }) },
      { label: 'Record all of its connection', onSelect: () => setRecording({ environment, connectionId }) },
    ];
  }

  return (
    <LoadedList place={place} result={result} onRetry={reread}>
      {({ revocations: page }) => {
        const rows = page.edges.map(({ node }) => node);
        const chosen = rows.filter((each) => selected.has(each.id) && !each.acknowledgedAt);
        const acceptable = (chosen.length > 0 ? chosen : rows).filter(accepts).map((each) => each.id);
        return (
          <Stack gap="md">
            <DeletionSummary {...{ page, environment, phase }}>
              {page.dueCount > 0 && !readOnly && (
                <Button size="xs" onClick={() => setRecording({ environment, due: true })}>
                  {page.dueCount === 1 ? 'Record the deletion' : `Record all ${page.dueCount.toLocaleString('en')}`}
                </Button>
              )}
            </DeletionSummary>
            <DeletionFilterBar {...{ filters, page }} onChange={changeFilters} />
            <PagedList label="Deletions" {...{ place, page }} none={<NoDeletions {...{ state, page }} retired={phase === 'over'} />}>
              {(revocations) => (
                <DeletionTable
                  revocations={revocations}
                  actions={actionsOf}
                  selection={
                    readOnly || deletionFacts[state].isDone || revocations.every(({ acknowledgedAt }) => acknowledgedAt)
                      ? undefined
                      : {
                          selected: new Set(chosen.map((each) => each.id)),
                          onChange: setSelected,
                          bar: (
                            <Group gap="sm">
                              <Button size="xs" onClick={() => setRecording({ revocationIds: chosen.map((each) => each.id) })}>
                                Record {counted(chosen.length, 'deletion')}
                              </Button>
                              <Button size="xs" variant="default" onClick={() => setSelected(new Set())}>
                                Choose none
                              </Button>
                            </Group>
                          ),
                        }
                  }
                />
              )}
            </PagedList>
            <AcknowledgeByCommand revocationIds={acceptable} chosen={chosen.length > 0} facts={facts} />
            <WhatToDelete open={page.lastDoneAt === null && page.dueCount > 0} phase={phase} />
            {recording && (
              <RecordDeletionsDialog
                slug={slug}
                where={`${integration.profile.publicName}, ${environment}`}
                filter={recording}
                onClose={() => setRecording(null)}
                onRecorded={() => {
                  setSelected(new Set());
                  reread();
                }}
              />
            )}
          </Stack>
        );
      }}
    </LoadedList>
  );
}
