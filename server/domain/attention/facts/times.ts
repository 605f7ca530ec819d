/** SQL: an instant in milliseconds since 1970. */
export function milliseconds(column: string): string {
  return `(extract(epoch from ${column}) * 1000)::float8`;
}

export type Milliseconds = number | null;

/** The moment that was read, if there was one. */
export function dateOf(read: Milliseconds | undefined): Date | null {
  return typeof read === 'number' ? new Date(read) : null;
}
