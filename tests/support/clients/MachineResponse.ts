import type { IncomingHttpHeaders } from 'node:http';

/** One answer of the machine API. `body` is parsed JSON, null without a body. */
export type MachineResponse = { status: number; headers: IncomingHttpHeaders; body: unknown; text: string };
