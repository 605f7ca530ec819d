/**
 * The few messages of PostgreSQL's frontend/backend protocol (version 3) that are needed to read rows. A length counts itself but not the
 * type.
 */

/** The types of the messages that come back. */
export const dataRow = 0x44;
export const errorResponse = 0x45;
export const readyForQuery = 0x5a;

const binaryFormat = 1;
const allRows = 0;

/** Prepares a statement under a name. */
export function parseMessage(name: string, text: string): Buffer {
  return message('P', [cString(name), cString(text), int16(0)]);
}

/** Runs a prepared statement, with its parameters as text and all columns in binary, and asks PostgreSQL to end the exchange. */
export function executeMessages(name: string, parameters: readonly (string | number | null)[]): Buffer {
  const values = parameters.flatMap((value) => {
    if (value === null) return [int32(-1)];
    const bytes = Buffer.from(String(value));
    return [int32(bytes.length), bytes];
  });
  return Buffer.concat([
    message('B', [cString(''), cString(name), int16(0), int16(parameters.length), ...values, int16(1), int16(binaryFormat)]),
    message('E', [cString(''), int32(allRows)]),
    message('S', []),
  ]);
}

/** The error in an ErrorResponse: PostgreSQL's message with its SQLSTATE as `code`. */
export function errorOf(body: Buffer): Error & { code: string } {
  const fields = new Map(
    body
      .toString('utf8')
      .split('\0')
      .map((field) => [field.slice(0, 1), field.slice(1)]),
  );
  return Object.assign(new Error(fields.get('M') ?? 'PostgreSQL refused the statement.'), { code: fields.get('C') ?? '' });
}

function message(type: string, parts: readonly Buffer[]): Buffer {
  const body = Buffer.concat(parts);
  return Buffer.concat([Buffer.from(type), int32(body.length + 4), body]);
}

function cString(text: string): Buffer {
  return Buffer.from(`${text}\0`);
}

function int16(value: number): Buffer {
  const bytes = Buffer.allocUnsafe(2);
  bytes.writeInt16BE(value);
  return bytes;
}

function int32(value: number): Buffer {
  const bytes = Buffer.allocUnsafe(4);
  bytes.writeInt32BE(value);
  return bytes;
}
