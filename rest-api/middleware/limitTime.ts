import type { MachineMiddleware } from '../MachineContext.ts';
import { Problem } from '../answer/problemDetails.ts';

/** Ends a request after `milliseconds`: by a 408 problem before the answer has begun, by closing the connection afterwards. */
export function limitTime(milliseconds: number): MachineMiddleware {
  return async (context, next) => {
    let timer: NodeJS.Timeout | undefined;
    const timeout = new Promise<never>((_, reject) => {
      timer = setTimeout(() => {
        if (context.headerSent) context.req.socket.destroy();
        // A body that has not come may still come: nothing after it could be told apart.
        else reject(new Problem('request_timeout', context.req.complete ? {} : { headers: { Connection: 'close' } }));
      }, milliseconds);
    });
    context.res.once('close', () => clearTimeout(timer));
    await Promise.race([next(), timeout]);
  };
}
