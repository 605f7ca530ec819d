import { pino, type DestinationStream, type Logger, type LoggerOptions } from 'pino';

export type { Logger };

/** Fields that never reach a log, wherever they occur in the logged object. */
const redacted = ['token', 'code', 'codes', 'csr', 'cookie', 'authorization', 'email', 'recipient', 'password', 'secret', 'response'];

/** JSON lines on standard output (or `destination`), one wide line per unit of work. `name` is the process's role. */
export function createLogger(name: string, level: string, destination?: DestinationStream): Logger {
  const options: LoggerOptions = {
    name,
    level,
    base: { name },
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label) => ({ level: label }) },
    serializers: { err: describeFailure },
    redact: { paths: redacted.flatMap((field) => [field, `*.${field}`]), censor: '[redacted]' },
  };
  // Lines are written while the process goes on. Only with a least length does `flush` wait for them.
  return pino(options, destination ?? pino.destination({ dest: 1, sync: false, minLength: 1 }));
}

/** Mail servers repeat the recipient in their refusals, so addresses are removed. */
function withoutAddresses(text: string): string {
  return text.replace(/[^\s<>]+@[^\s<>]+/g, '[address]');
}

/** Type, code and stack of an error, but never the parameters that a database driver attaches, because they may be personal data. */
function describeFailure(error: unknown): unknown {
  if (!(error instanceof Error)) return { message: String(error) };
  const code = 'code' in error && typeof error.code === 'string' ? error.code : undefined;
  const frames = error.stack
    ?.split('\n')
    .filter((line) => line.startsWith('    at '))
    .slice(0, 8)
    .map((line) => line.trim());
  const fromDatabase = code !== undefined && /^[0-9A-Z]{5}$/.test(code);
  // The field is not called `code`, because that name is redacted.
  return {
    type: error.name,
    reason: code,
    message: fromDatabase ? 'refused by the database' : withoutAddresses(error.message.split('\n')[0]?.slice(0, 1_000) ?? '').slice(0, 300),
    frames,
  };
}
