/**
 * Read-only (25006: a standby, or a server that has been told so), no space (53100), no memory (53200). Another connection may lead to a server
 * that can. What else means “not now” either breaks its connection anyway or has not got one yet.
 */
const uselessServer = new Set(['25006', '53100', '53200']);

/** Whether the connection on which a statement failed with this error must not be used again. */
export function endsConnection(error: unknown): boolean {
  return typeof error === 'object' && error !== null && 'code' in error && typeof error.code === 'string' && uselessServer.has(error.code);
}
