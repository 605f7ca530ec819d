import { UniqueConstraintViolationException } from '@mikro-orm/postgresql';

/** Whether PostgreSQL has refused a row because of this unique constraint or index. Another one means something else to the caller. */
export function violates(error: unknown, constraint: string): boolean {
  return error instanceof UniqueConstraintViolationException && 'constraint' in error && error.constraint === constraint;
}
