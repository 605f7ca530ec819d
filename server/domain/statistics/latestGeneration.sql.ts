import { instant } from '../shared/instant.ts';

/**
 * SQL: these columns of the generation that a client is served, or of the `most` newest (index statistics_generation_latest). Whatever
 * speaks of the latest generation asks here, so that all mean the same one.
 */
export function latestGenerations(columns: string, client: string, most = 1): string {
  return `select ${columns} from statistics_generation where client_number = ${client} order by published_at desc, id desc limit ${most}`;
}

/** What its values were computed from is personal and not read. */
const served = `id, ${instant('published_at')} as published_at, to_char(period_from, 'YYYY-MM-DD') as period_from,
       to_char(period_to, 'YYYY-MM-DD') as period_to, minimum_group_size, groups`;
export const latestGenerationSql = latestGenerations(served, '$1::int');
