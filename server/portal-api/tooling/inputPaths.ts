import { DomainError } from '../../domain/shared/DomainError.ts';

/**
 * Runs a command whose field paths begin below the input. Its caller sees them from the document's top, as in
 * `input.resources[3].data.vin`.
 */
export async function withInputPaths<Result>(command: () => Promise<Result>): Promise<Result> {
  try {
    return await command();
  } catch (error) {
    if (!(error instanceof DomainError) || error.fields.length === 0) throw error;
    const fields = error.fields.map(({ path, message }) => ({ path: `input.${path}`, message }));
    throw new DomainError(error.code, { detail: error.message, fields, retryAfterSeconds: error.retryAfterSeconds });
  }
}
