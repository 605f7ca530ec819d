/** A request to the portal or the machine API, which is made when it is sent. `round` distinguishes it from the previous one. */
export type HostileRequest = {
  readonly name: string;
  readonly to: 'portal' | 'machine';
  /** How many milliseconds it may hold the event loop. */
  readonly most: number;
  make(round: number): { method: string; path: string; headers: Record<string, string>; body?: Buffer };
};

/** How many milliseconds a request may hold the event loop, before its caller is known and after. */
export const strangersMost = 100;
export const knownMost = 500;
