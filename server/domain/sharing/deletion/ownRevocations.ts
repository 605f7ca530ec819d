import type { EntityManager } from '@mikro-orm/postgresql';
import { Client } from '../../client/Client.ts';
import { ownIntegration } from '../../integration/ownIntegrations.ts';
import type { Environment } from '../../shared/environment.ts';
import { idCursors } from '../../shared/lists/cursors.ts';
import { page, refuseForeignCursor, type Page, type PageRequest } from '../../shared/lists/page.ts';
import { sql } from '../../shared/sql.ts';
import { deletionCounts, type DeletionCounts } from './deletionCounts.ts';
import { isLateSql, revocationLifecycle, undeletedStates } from '../revocationStatus.ts';

/** Which revocations a list contains. All outstanding ones are due, except for the fixture of the test data. Overdue ones are due, too. */
export const revocationStates = ['outstanding', 'due', 'overdue', 'acknowledged'] as const;
export type RevocationState = (typeof revocationStates)[number];

/** The order of a list: by what must be done first, or by what was revoked last. */
export const revocationOrders = ['deadline', 'newest'] as const;
export type RevocationOrder = (typeof revocationOrders)[number];

export const revocationSubjects = ['resource', 'connection'] as const;

/** A revocation as seen by the operator who has to delete the data. */
export type OwnRevocation = {
  readonly id: string;
  readonly environment: Environment;
  readonly subjectType: (typeof revocationSubjects)[number];
  readonly subjectId: string;
  readonly connectionId: string;
  /** How many resources lost access with it. Resources of a connection that were revoked earlier have revocations of their own. */
  readonly resourceCount: number;
  readonly revokedAt: Date;
  readonly deletionDeadlineAt: Date;
  readonly acknowledgedAt: Date | null;
  readonly acknowledgedLate: boolean;
  /** Whether the owner recorded the deletion in the portal; otherwise the back end acknowledged it. */
  readonly recordedByHand: boolean;
  /** Whether it came with the test data, to be tried out whenever the owner likes. It is never due and never late. */
  readonly fixture: boolean;
  /** The deadline has passed without an acknowledgement. */
  readonly overdue: boolean;
};

/** The counts are those of the environments asked for, whatever the state asked for. */
type RevocationPage = Page<OwnRevocation> &
  DeletionCounts & {
    /** When the latest revocation that is done was acknowledged or recorded. */
    readonly lastDoneAt: Date | null;
    /** The same counts of the environments that were not asked for. */
    readonly elsewhere: DeletionCounts;
  };

type OwnRevocations = {
  readonly operatorId: string;
  readonly slug: string;
  /** If null, all environments of the integration. */
  readonly environment: Environment | null;
  readonly state: RevocationState;
  readonly order: RevocationOrder;
  /** Only this revocation, whatever its state; null for all. */
  readonly revocationId?: string | null | undefined;
  readonly now: Date;
} & PageRequest;

/**
 * A page of the revocations that the operator's own integration has to act on (docs/specification.md, “Revocation”). Errors: not_found
 * (another's integration, or none), invalid_request (`first`, `after`).
 */
export async function ownRevocations(
  em: EntityManager,
  { operatorId, slug, environment, state, order, revocationId = null, now, ...request }: OwnRevocations,
): Promise<RevocationPage> {
  const integration = await ownIntegration(em, operatorId, slug);
  const clients = await em.find(Client, { integrationId: integration.id });
  const [asked, others] = partition(clients, (client) => environment === null || client.environment === environment);
  const clientNumbers = asked.map(({ number }) => number);
  const found = await page(request, {
    cursors: idCursors<OwnRevocation>('rev', ({ id }) => id),
    read: async (count, after) => {
      const place = after === null ? [] : await placeOf(em, clientNumbers, order, after);
      if (revocationId !== null) return after === null ? await readOne(em, clientNumbers, revocationId, now) : [];
      return await sql<OwnRevocation>(em, pageSql(state, order, after !== null), [clientNumbers, count, now, ...place]);
    },
  });
  const counts = await deletionCounts(
    em,
    clients.map(({ number }) => number),
    now,
  );
  const [last] = await sql<{ at: Date }>(em, lastDoneSql, [clientNumbers]);
  const countsOf = (some: readonly Client[]) => together(some.flatMap(({ number }) => counts.get(number) ?? []));
  return { ...found, ...countsOf(asked), lastDoneAt: last?.at ?? null, elsewhere: countsOf(others) };
}

function partition<Item>(items: readonly Item[], test: (item: Item) => boolean): [Item[], Item[]] {
  return [items.filter(test), items.filter((item) => !test(item))];
}

function together(counts: readonly DeletionCounts[]): DeletionCounts {
  const sum = (of: (each: DeletionCounts) => number) => counts.reduce((total, each) => total + of(each), 0);
  const earliest = (of: (each: DeletionCounts) => Date | null) =>
    counts.flatMap((each) => of(each) ?? []).toSorted((one, other) => one.getTime() - other.getTime())[0] ?? null;
  return {
    outstandingCount: sum(({ outstandingCount }) => outstandingCount),
    dueCount: sum(({ dueCount }) => dueCount),
    dueConnectionCount: sum(({ dueConnectionCount }) => dueConnectionCount),
    dueVehicleCount: sum(({ dueVehicleCount }) => dueVehicleCount),
    firstDueId: counts.find((each) => each.firstDueId !== null)?.firstDueId ?? null,
    overdueCount: sum(({ overdueCount }) => overdueCount),
    nextDeadlineAt: earliest(({ nextDeadlineAt }) => nextDeadlineAt),
    overdueSince: earliest(({ overdueSince }) => overdueSince),
  };
}

/** One existing revocation of a client. */
export async function findRevocation(
  em: EntityManager,
  { clientNumber, revocationId, now }: { clientNumber: number; revocationId: string; now: Date },
): Promise<OwnRevocation> {
  const [found] = await readOne(em, [clientNumber], revocationId, now);
  if (!found) throw new Error(`There is no revocation ${revocationId}.`);
  return found;
}

/** The revocation, if it is one of these clients'. */
function readOne(em: EntityManager, clientNumbers: readonly number[], revocationId: string, now: Date): Promise<OwnRevocation[]> {
  return sql<OwnRevocation>(em, oneSql, [clientNumbers, revocationId, now]);
}

/** The place of an item in the list. The item may have left the list since. */
async function placeOf(em: EntityManager, clientNumbers: readonly number[], order: RevocationOrder, id: string): Promise<[Date, string]> {
  const [row] = await sql<Record<RevocationOrder, Date>>(em, placeSql, [clientNumbers, id]);
  return row ? [row[order], id] : refuseForeignCursor();
}

const { isIn, where } = revocationLifecycle;
const isDone = where((facts) => facts.isDone);

/** By the primary key. */
const placeSql = `select revoked_at as newest, deletion_deadline_at as deadline
  from revocation where client_number = any($1::int[]) and id = $2`;

/** By `revocation_acknowledged`, the newest of each client. */
const lastDoneSql = `select r.acknowledged_at as at from unnest($1::int[]) own(number)
 cross join lateral (select acknowledged_at from revocation where client_number = own.number and ${isDone}
                      order by revoked_at desc, id desc limit 1) r
 order by r.acknowledged_at desc limit 1`;

const conditions = {
  outstanding: isIn(undeletedStates),
  due: `${isIn(undeletedStates)} and not fixture`,
  overdue: isLateSql({ now: '$3' }),
  acknowledged: isDone,
} as const satisfies Record<RevocationState, string>;

const orders = {
  deadline: { column: 'deletion_deadline_at', direction: 'asc', beyond: '>' },
  newest: { column: 'revoked_at', direction: 'desc', beyond: '<' },
} as const satisfies Record<RevocationOrder, object>;

/** A revocation `r` of client `c` as `Row`. `now` is the parameter that holds the present instant. */
const columns = (
  now: string,
) => `r.id, c.environment, r.subject_type as "subjectType", r.subject_id as "subjectId", r.connection_id as "connectionId",
       case r.subject_type when 'resource' then 1
            else (select count(*)::int from shared_resource s where s.client_number = c.number and s.revocation_id = r.id) end as "resourceCount",
       r.revoked_at as "revokedAt", r.deletion_deadline_at as "deletionDeadlineAt",
       r.acknowledged_at as "acknowledgedAt", r.acknowledged_late as "acknowledgedLate", r.recorded_by_hand as "recordedByHand",
       r.fixture, ${isLateSql({ row: 'r', now })} as overdue`;

/** By the primary key. */
const oneSql = `select ${columns('$3')} from client c join revocation r on r.client_number = c.number where c.number = any($1::int[]) and r.id = $2`;

/**
 * `$1` is the client numbers, `$2` the number of rows, `$3` now, `$4` and `$5` the place of the last item. The first rows of each client
 * are read by `revocation_outstanding` or `revocation_acknowledged`, in their order if the list has the same one. The resources of a
 * connection are counted by `shared_resource_revoked`.
 */
function pageSql(state: RevocationState, order: RevocationOrder, resumed: boolean): string {
  const { column, direction, beyond } = orders[order];
  const place = resumed ? `and (${column}, id) ${beyond} ($4::timestamptz, $5::text)` : '';
  const sorted = `order by r.${column} ${direction}, r.id ${direction} limit $2::int`;
  return `
select ${columns('$3')}
  from unnest($1::int[]) own(number) join client c using (number)
 cross join lateral (select * from revocation r where r.client_number = c.number and ${conditions[state]} ${place} ${sorted}) r
 ${sorted}`;
}
