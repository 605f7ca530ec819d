import { Resolver } from 'node:dns';

/** Finds every address of a name. Rejects if there is none, or if the name’s servers do not answer for one of the two families. */
export type Resolve = (host: string) => Promise<readonly string[]>;

/** One question waits this long, doubled for its second attempt, so that nothing is left of a question long after its attempt has ended. */
const questionTimeout = 1_500;
const questionTries = 2;
/** “There is nothing of this kind”, as opposed to no answer at all. */
const nothing = new Set(['ENODATA', 'ENOTFOUND']);

/**
 * Asks the system’s name servers for all A and AAAA records. It uses neither /etc/hosts nor search domains, both of which could make a public
 * name mean a machine inside. `cancel` ends all questions. Tests name other name servers.
 */
export function createResolver(servers?: readonly string[]): { readonly resolve: Resolve; cancel: () => void } {
  const resolver = new Resolver({ timeout: questionTimeout, tries: questionTries });
  if (servers) resolver.setServers(servers);
  const ask = (method: 'resolve4' | 'resolve6', host: string) =>
    new Promise<readonly string[]>((resolve, reject) => {
      resolver[method](host, (error, addresses) => {
        if (!error) resolve(addresses);
        else if (nothing.has(error.code ?? '')) resolve([]);
        else reject(error);
      });
    });
  return {
    async resolve(host) {
      const [four, six] = await Promise.all([ask('resolve4', host), ask('resolve6', host)]);
      return [...four, ...six];
    },
    cancel: () => resolver.cancel(),
  };
}
