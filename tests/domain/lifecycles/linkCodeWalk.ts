import { retireIntegration } from '../../../server/domain/programme/retireIntegration.ts';
import { cancelLinkCode } from '../../../server/domain/sharing/link-code/cancelLinkCode.ts';
import { linkCodeLifecycle } from '../../../server/domain/sharing/linkCodeStatus.ts';
import { eraseUser } from '../../../server/domain/sharing/revocation/eraseUser.ts';
import type { TestClient } from '../../support/world/Fixtures.ts';
import type { SharingCommands } from '../../support/feed/sharingCommands.ts';
import type { World } from '../../support/world/World.ts';
import { operatorOf } from './certificateWalk.ts';
import type { Made, Walk } from './Walk.ts';

type LinkCodeRow = Made & { readonly id: string; readonly code: string; readonly user: string; readonly client: TestClient };

export function linkCodeWalk(world: World, sharing: SharingCommands): Walk<LinkCodeRow> {
  const { sql } = world.fixtures;
  const maker = (failedAttempts: number) => async (state: string) => {
    const client = await world.fixtures.client();
    const user = sharing.newUser();
    const { id, code } = await sharing.code(client, user, await sharing.track(client, user));
    if (state === 'redeemed') await sql`update link_code set redeemed_at = ${sharing.now}, connection_id = 'con_test' where id = ${id}`;
    if (state === 'cancelled') await sql`update link_code set cancelled_at = ${sharing.now} where id = ${id}`;
    if (state === 'expired') await sql`update link_code set expires_at = ${sharing.now} where id = ${id}`;
    await sql`update link_code set failed_attempts = ${state === 'unusable' ? 5 : failedAttempts} where id = ${id}`;
    return { where: { id }, id, code, user, client };
  };
  const counts = (to: string) => ({ actions: ['countFailedAttempt'], to });
  const cancels = { actions: ['cancelLinkCode'], to: 'cancelled' };
  return {
    lifecycle: linkCodeLifecycle,
    make: maker(0),
    runs: {
      redeemLinkCode: {
        command: ({ client, code }) => sharing.redeem(client, code),
        does: { generated: { actions: ['redeemLinkCode'], to: 'redeemed' }, redeemed: counts('redeemed') },
      },
      'redeemLinkCode by another client': {
        command: async ({ code }) => sharing.redeem(await world.fixtures.client(), code),
        does: { generated: counts('generated'), redeemed: counts('redeemed') },
      },
      'the fifth redeemLinkCode by another client': {
        make: maker(4),
        command: async ({ code }) => sharing.redeem(await world.fixtures.client(), code),
        does: { generated: counts('unusable'), redeemed: counts('redeemed') },
      },
      cancelLinkCode: {
        command: ({ id }) => cancelLinkCode(sharing.em, { ...sharing.by(), linkCodeId: id }),
        does: { generated: cancels, unusable: cancels, expired: cancels },
      },
      retireIntegration: {
        command: ({ client: { operatorId, integrationId } }) =>
          retireIntegration(sharing.em, { actor: operatorOf(operatorId), integrationId, reason: null, now: sharing.now }),
        does: { generated: cancels, unusable: cancels },
      },
      eraseUser: {
        command: ({ user }) => eraseUser(sharing.em, { ...sharing.by(), user }),
        does: { generated: cancels, unusable: cancels },
        besides: ['user_ref'],
      },
    },
  };
}
