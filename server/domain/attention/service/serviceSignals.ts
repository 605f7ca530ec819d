import type { EntityManager } from '@mikro-orm/postgresql';
import { authorityEnds } from '../../certificate/authority/authorityEnds.ts';
import { crlStates } from '../../certificate/crl/publication/currentCrl.ts';
import { reviewTimes } from '../../review/reviewTimes.ts';
import { limits } from '../../shared/limits.ts';
import { outOfTime } from '../../notification/resetDue.ts';
import { webhookLimits } from '../../outbox/webhookLimits.ts';
import { sql } from '../../shared/sql.ts';
import {
  deadLettersSql,
  failedJobsSql,
  failingEndpointsSql,
  gatesMovedSql,
  lateMailSql,
  overdueDeletionsSql,
  waitingResetsSql,
} from './serviceSignals.sql.ts';
import { slowReviewsSql, suspendedSql, type Counted } from './serviceSignals.sql.ts';
import type { AttentionItem } from '../../notification/words/AttentionItem.ts';
import { serviceNeed } from './serviceNeed.ts';

/** One thing that is looked at, and what it is called if it cannot be read. */
type ServiceSignal = {
  readonly part: string;
  readonly read: (em: EntityManager, now: Date) => Promise<readonly AttentionItem[]>;
};

const most = limits.serviceCounted;
const before = (now: Date, milliseconds: number): Date => new Date(now.getTime() - milliseconds);

/** The one row of a statement that counts, unless it counts nothing. */
function counted<Row extends Counted>([row]: readonly Row[]) {
  if (!row || row.count === 0) return null;
  const { oldest, count, ...more } = row;
  return { ...more, since: oldest, count: Math.min(count, most), more: count > most };
}

/**
 * Everything that is looked at to say whether the service needs somebody, with the thresholds of the alarms where there is one. Each is
 * read by itself, so that one that fails hides no other.
 */
export const serviceSignals: readonly ServiceSignal[] = [
  {
    part: 'failed jobs',
    async read(em) {
      const found = counted(await sql<Counted & { givenUp: number }>(em, failedJobsSql, [most + 1]));
      if (!found) return [];
      const { since, ...details } = found;
      return [serviceNeed('failedJobs', details.givenUp > 0 ? 'failing' : 'attention', details, { since })];
    },
  },
  {
    part: 'reviews',
    async read(em, now) {
      const { ninetiethPercentileSeconds } = await reviewTimes(em, now);
      const measured = ninetiethPercentileSeconds !== null;
      const usual = measured ? ninetiethPercentileSeconds * 1000 : limits.slowReview;
      const found = counted(await sql<Counted>(em, slowReviewsSql, [before(now, usual), most + 1]));
      if (!found) return [];
      const { since, ...details } = found;
      return [serviceNeed('slowReviews', 'attention', { ...details, usual, measured }, { since })];
    },
  },
  {
    part: 'deletions',
    async read(em, now) {
      const found = counted(await sql<Counted & { integrations: number }>(em, overdueDeletionsSql, [now, most + 1]));
      if (!found) return [];
      const { since, ...details } = found;
      return [serviceNeed('overdueDeletions', 'failing', details, { since })];
    },
  },
  {
    part: 'suspended integrations',
    async read(em) {
      const found = counted(await sql<Counted & { slug: string | null }>(em, suspendedSql, [most + 1]));
      if (!found) return [];
      const { since, slug, ...details } = found;
      const only = details.count === 1 ? slug : null;
      return [serviceNeed('suspendedIntegrations', 'attention', { ...details, slug: only }, { since })];
    },
  },
  {
    part: 'dead letters',
    async read(em) {
      const found = counted(await sql<Counted & { endpoints: number }>(em, deadLettersSql, [most + 1]));
      if (!found) return [];
      const { since, ...details } = found;
      return [serviceNeed('deadLettersWaiting', 'attention', details, { since })];
    },
  },
  {
    part: 'webhook endpoints',
    async read(em, now) {
      const found = counted(await sql<Counted>(em, failingEndpointsSql, [before(now, webhookLimits.webhookFailureAlerts[0]), most + 1]));
      if (!found) return [];
      const { since, ...details } = found;
      return [serviceNeed('failingEndpoints', 'failing', details, { since })];
    },
  },
  {
    part: 'mail',
    async read(em, now) {
      const found = counted(await sql<Counted>(em, lateMailSql, [before(now, limits.slowMail), most + 1]));
      if (!found) return [];
      const { since, ...details } = found;
      return [serviceNeed('lateMail', 'failing', details, { since })];
    },
  },
  {
    part: 'authorities',
    async read(em, now) {
      const { issuing, root } = (await authorityEnds(em)) ?? {};
      return (['issuing', 'root'] as const).flatMap((kind) => {
        const deadline = kind === 'issuing' ? issuing : root;
        if (!deadline || deadline.getTime() - now.getTime() > limits.authorityNotice) return [];
        const ended = deadline <= now;
        return [serviceNeed('authorityEnding', ended ? 'failing' : 'attention', { kind, ended }, { name: kind, deadline })];
      });
    },
  },
  {
    part: 'revocation lists',
    async read(em, now) {
      const ends = (await crlStates(em, now))
        .map(({ list }) => list?.nextUpdate ?? null)
        .filter((end) => end === null || end.getTime() - now.getTime() < limits.crlNotice);
      if (ends.length === 0) return [];
      const missing = ends.filter((end) => end === null).length;
      const ended = ends.filter((end) => end !== null && end <= now).length;
      const [deadline = null] = ends.filter((end) => end !== null).toSorted((one, other) => one.getTime() - other.getTime());
      const level = missing + ended > 0 ? 'failing' : 'attention';
      return [serviceNeed('crlEnding', level, { count: ends.length, missing, ended }, { deadline })];
    },
  },
  {
    part: 'gates',
    async read(em, now) {
      const found = counted(
        await sql<Counted & { service: boolean; integrations: number; slug: string | null }>(em, gatesMovedSql, [
          before(now, limits.gatesListed),
          most + 1,
        ]),
      );
      if (!found) return [];
      const { since, integrations, slug, ...details } = found;
      const only = !details.service && integrations === 1 ? slug : null;
      return [serviceNeed('gatesMoved', 'attention', { ...details, slug: only }, { since })];
    },
  },
  {
    part: 'resets of accounts',
    async read(em, now) {
      const found = counted(await sql<Counted & { operatorId: string }>(em, waitingResetsSql, [outOfTime(now), most + 1]));
      if (!found) return [];
      const { since, ...details } = found;
      return [serviceNeed('resetsWaiting', 'attention', details, { since })];
    },
  },
];
