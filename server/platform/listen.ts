import type { AddressInfo, Server } from 'node:net';

/** Binds a server (port 0 takes any free port) and resolves with its port. If the port is not available, the error names `variable`. */
export async function listen(server: Server, { host, port, variable }: { host: string; port: number; variable: string }): Promise<number> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      reject(
        error.code === 'EADDRINUSE'
          ? new Error(`Port ${port} is in use. Stop the program that uses it, or choose another port with ${variable}.`, { cause: error })
          : error,
      );
    });
    server.listen(port, host, resolve);
  });
  return (server.address() as AddressInfo).port;
}
