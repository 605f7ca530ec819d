import type { MachineMiddleware } from '../MachineContext.ts';
import { Problem } from '../answer/problemDetails.ts';

/** Ends a request after `milliseconds`: with a 408 problem if the answer has not begun, otherwise by closing the connection. */
export function limitTime(milliseconds: number): MachineMiddleware {
  return async (context, next) => {
    let timer: NodeJS.Timeout | undefined;
    const timeout = new Promise<never>((_, reject) => {
      timer = setTimeout(() => {
        if (context.headerSent) context.req.socket.destroy();
        // The rest of the body may still arrive, and could not be told apart from a next request.
        else reject(new Problem('request_timeout', context.req.complete ? {} : { headers: { Connection: 'close' } }));
      }, milliseconds);
    });
    context.res.once('close', () => clearTimeout(timer));
    await Promise.race([next(), timeout]);
  };
}
