type PumpChannel = 'webhook_due' | 'webhook_recheck';

/** SQL: a notification of endpoints by their numbers. The most that PostgreSQL lets one carry is 8,000 bytes; an empty one means every endpoint. */
export function pumpNotice(channel: PumpChannel, numbers: string): string {
  return `pg_notify('${channel}', case when length(${numbers}) > 7900 then '' else ${numbers} end)`;
}

/**
 * SQL: notifies the workers’ pump on a channel of the endpoints that `from` gives as `endpoint_number`, if there are any, once the transaction
 * commits.
 */
export function notifyPump(channel: PumpChannel, from: string): string {
  return `select ${pumpNotice(channel, 'e.numbers')} from (select string_agg(distinct endpoint_number::text, ',') as numbers from ${from}) e where e.numbers is not null`;
}
