import type { EntityManager } from '@mikro-orm/postgresql';
import type { FieldError } from '../../shared/DomainError.ts';
import { hasIdForm } from '../../shared/ids.ts';
import { limits } from '../../shared/limits.ts';
import { sql } from '../../shared/sql.ts';
import { numberWords } from '../../shared/text/numberWords.ts';
import { webhookLimits } from '../../outbox/webhookLimits.ts';
import { rangesOf, timeErrors, type DeliveryFilter } from './deliveries.ts';
import type { DeliveryRanges } from './deliveryList.sql.ts';

/** Which of an endpoint's deliveries its owner means. */
export type SelectionFilter = DeliveryFilter & {
  /** Only these. */
  readonly deliveryIds?: readonly string[] | null;
};

/** The same for a statement. */
export type Chosen = DeliveryRanges & {
  readonly endpointNumber: number;
  /** Only these, by their IDs; null: whatever the ranges hold. */
  readonly deliveryIds: readonly string[] | null;
  /** Only what there was at this moment. */
  readonly until: Date;
};

/** How many deliveries a filter finds at one moment. The owner sees it before anything is done with them. */
export type SelectionCount = {
  readonly count: number;
  /** More than may be taken at once. The count is then a lower bound. */
  readonly tooMany: boolean;
  /** The moment of the count. What comes later is not included. */
  readonly until: Date;
};

/** What a filter finds. */
export type Selection = SelectionCount & {
  /** The numbers of the deliveries, in order. */
  readonly numbers: readonly string[];
  /** Stands for exactly these deliveries. */
  readonly selectionDigest: string;
};

/** What a filter chooses of an endpoint's deliveries. A list that is absent or empty excludes nothing. */
export function chosenBy(filter: SelectionFilter, { endpointNumber, until }: Pick<Chosen, 'endpointNumber' | 'until'>): Chosen {
  const { deliveryIds } = filter;
  return { ...rangesOf(filter), endpointNumber, deliveryIds: deliveryIds?.length ? [...new Set(deliveryIds)] : null, until };
}

/**
 * The deliveries whose numbers a statement reads: `numbersSql` makes it for at most so many of them. The digest is of the numbers in
 * order, whatever order they are read in.
 */
export async function selectDeliveries(
  em: EntityManager,
  until: Date,
  numbersSql: (most: number) => { readonly text: string; readonly values: unknown[] },
): Promise<Selection> {
  const most = webhookLimits.deliveriesReplayedAtOnce;
  const { text, values } = numbersSql(most + 1);
  const [row] = await sql<{ found: number; digest: string; numbers: string[] }>(
    em,
    `select count(*)::int as found, coalesce(array_agg(number::text order by number), '{}') as numbers, encode(sha256(coalesce(string_agg(number::text, ' ' order by number), '')::bytea), 'hex') as digest from (${text}) c`,
    values,
  );
  const { found = 0, digest = '', numbers = [] } = row ?? {};
  return { count: Math.min(found, most), tooMany: found > most, selectionDigest: digest, until, numbers };
}

/** What is wrong with a filter that stands at this path. */
export function selectionErrors(filter: SelectionFilter, path: string): FieldError[] {
  const { deliveryIds } = filter;
  const most = limits.pageSize;
  const found = timeErrors(filter, `${path}.`);
  if (deliveryIds && (deliveryIds.length > most || !deliveryIds.every((id) => hasIdForm('dlv', id))))
    found.push({ path: `${path}.deliveryIds`, message: `Choose at most ${most} deliveries by their IDs, which begin with dlv_.` });
  return found;
}

/** A count as its owner saw it, with what is to be done with so many deliveries. */
type Counted = { readonly until: Date; readonly expectedCount: number; readonly to: 'replayed' | 'tried'; readonly now: Date };

/** What is wrong with a count that is handed back. */
export function countErrors({ until, expectedCount, to, now }: Counted): FieldError[] {
  const most = webhookLimits.deliveriesReplayedAtOnce;
  const path = 'input.expectedCount';
  const found: FieldError[] = [];
  if (expectedCount < 1) found.push({ path, message: `Send a count of at least 1. Where nothing is found, nothing can be ${to}.` });
  if (expectedCount > most)
    found.push({ path, message: `At most ${numberWords(most)} deliveries can be ${to} at once. Choose a narrower filter.` });
  if (until > now) found.push({ path: 'input.until', message: 'This time is in the future.' });
  return found;
}
