/** Where a job's payload carries the trace of the request that queued it, while that request is traced. It holds random numbers only. */
export const traceMember = '_trace';

let carried: () => string | undefined = () => undefined;

/** Says who knows the present trace. Without it there is none. */
export function carryTraces(by: typeof carried): void {
  carried = by;
}

/** The present trace, if there is one. */
export function presentTrace(): string | undefined {
  return carried();
}

/** The payload of a job with the present trace, if there is one. */
export function withTrace(payload: object): object {
  const trace = carried();
  return trace === undefined ? payload : { ...payload, [traceMember]: trace };
}

/** Takes a payload apart again. */
export function splitTrace(payload: unknown): { readonly trace: string | undefined; readonly rest: unknown } {
  if (typeof payload !== 'object' || payload === null || !(traceMember in payload)) return { trace: undefined, rest: payload };
  const { [traceMember]: trace, ...rest } = payload;
  return { trace: typeof trace === 'string' ? trace : undefined, rest };
}
