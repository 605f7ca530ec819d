import type { AddressInfo, Server } from 'node:net';

type Place = {
  readonly host: string;
  readonly port: number;
  readonly variables: { readonly host: string; readonly port: string };
  /** A socket that listens already, and that another process holds open while this one restarts; host and port are then its own. */
  readonly held?: number | undefined;
};

/** Binds a server (port 0 takes any free port) and resolves with its port. If it cannot be bound, the error names the variable to change. */
export async function listen(server: Server, place: Place): Promise<number> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      const words = wordsOf(error.code, place);
      reject(words === undefined ? error : new Error(words, { cause: error }));
    });
    if (place.held === undefined) server.listen(place.port, place.host, resolve);
    else server.listen({ fd: place.held }, resolve);
  });
  return (server.address() as AddressInfo).port;
}

function wordsOf(code: string | undefined, { host, port, variables }: Place): string | undefined {
  switch (code) {
    case 'EADDRINUSE':
      return `Port ${port} is in use. Stop the program that uses it, or choose another port with ${variables.port}.`;
    case 'EACCES':
      return `This account may not listen on port ${port}. Choose one from 1024 on with ${variables.port}, or let systemd hold it (docs/operating/one-machine.md).`;
    case 'EADDRNOTAVAIL':
    case 'EAFNOSUPPORT':
      return `This machine has no address ${host}. Set ${variables.host} to one that it has.`;
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return `There is no address for the name ${host}. Set ${variables.host} to an address of this machine.`;
    default:
      return undefined;
  }
}
