/** SQL: an instant as RFC 3339 in UTC with milliseconds, for what is handed on as it is read. Everything else reads a Date. */
export function instant(column: string): string {
  return `to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;
}
