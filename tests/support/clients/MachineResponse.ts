import type { IncomingHttpHeaders } from 'node:http';

/** One answer of the machine API. `body` is parsed JSON, or null if there is none. */
export type MachineResponse = { status: number; headers: IncomingHttpHeaders; body: unknown; text: string };
