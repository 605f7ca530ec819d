import { instant } from '../shared/instant.ts';

/** The latest generation of a client (index statistics_generation_latest). What its values were computed from is personal and not read. */
export const latestGenerationSql = `
select id, ${instant('published_at')} as published_at, to_char(period_from, 'YYYY-MM-DD') as period_from,
       to_char(period_to, 'YYYY-MM-DD') as period_to, minimum_group_size, groups
  from statistics_generation where client_number = $1::int order by published_at desc, id desc limit 1`;
