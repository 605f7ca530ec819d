import { newId } from '../../../server/domain/shared/ids.ts';
import { recordDeletion } from '../../../server/domain/sharing/deletion/recordDeletion.ts';
import { deletionsToRecord, recordDeletions } from '../../../server/domain/sharing/deletion/recordDeletions.ts';
import { suspendForMissedDeletion } from '../../../server/domain/sharing/deletion/suspendForMissedDeletion.ts';
import { warnOfDeletionDeadline } from '../../../server/domain/sharing/deletion/warnOfDeletionDeadline.ts';
import { revocationLifecycle } from '../../../server/domain/sharing/revocationStatus.ts';
import type { TestClient } from '../../support/world/Fixtures.ts';
import type { SharingCommands } from '../../support/feed/sharingCommands.ts';
import type { World } from '../../support/world/World.ts';
import { operatorOf } from './certificateWalk.ts';
import type { Made, Walk } from './Walk.ts';

const day = 24 * 60 * 60_000;
type RevocationRow = Made & { readonly id: string; readonly client: TestClient };

export function revocationWalk(world: World, sharing: SharingCommands): Walk<RevocationRow> {
  const { now } = sharing;
  async function make(state: string): Promise<RevocationRow> {
    const client = await world.fixtures.client({ environment: 'production', status: 'active' });
    const id = newId('rev');
    const deadline = new Date(now.getTime() + (state === 'overdue' ? -1 : 1) * day);
    await world.fixtures
      .sql`insert into revocation (client_number, id, subject_type, subject_id, connection_id, revoked_at, deletion_deadline_at, acknowledged_at)
      values (${client.number}, ${id}, 'connection', 'con_test', 'con_test', ${new Date(deadline.getTime() - 7 * day)}, ${deadline},
        ${state === 'acknowledged' ? new Date(now.getTime() - day) : null})`;
    return { where: { client_number: client.number, id }, id, client };
  }
  const records = { actions: ['recordDeletion'], to: 'acknowledged' };
  return {
    lifecycle: revocationLifecycle,
    make,
    runs: {
      acknowledgeRevocation: {
        command: ({ client, id }) => sharing.acknowledge(client, id),
        does: { outstanding: { actions: ['acknowledgeRevocation'], to: 'acknowledged' } },
      },
      recordDeletion: {
        command: ({ client, id }) => recordDeletion(sharing.em, { actor: operatorOf(client.operatorId), revocationId: id, now }),
        does: { outstanding: records, overdue: records },
      },
      recordDeletions: {
        command: async ({ client: { operatorId, integrationId } }) => {
          const chosen = { slug: integrationId.replace('_', '-'), filter: {} };
          const { count, selectionDigest, until } = await deletionsToRecord(sharing.em, { ...chosen, operatorId, now });
          return recordDeletions(sharing.em, {
            ...chosen,
            actor: operatorOf(operatorId),
            expectedCount: count,
            selectionDigest,
            until,
            now,
          });
        },
        does: { outstanding: records, overdue: records },
      },
      warnOfDeletionDeadline: {
        command: ({ client: { integrationId } }) =>
          warnOfDeletionDeadline(sharing.em, { integrationId, now, warnBefore: new Date(now.getTime() + 2 * day) }),
        does: { outstanding: { actions: ['warnOfDeletionDeadline'], to: 'outstanding' } },
      },
      suspendForMissedDeletion: {
        command: ({ client: { integrationId } }) => suspendForMissedDeletion(sharing.em, { integrationId, now }),
        does: { overdue: { actions: ['enforceDeletionDeadline'], to: 'overdue' } },
      },
    },
  };
}
