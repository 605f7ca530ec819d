import { createServer } from 'node:http';
import { serverLimits } from '../http/serverLimits.ts';
import { superviseConnections } from '../http/superviseConnections.ts';
import { listen } from '../listen.ts';
import type { AcmePlan } from './AcmePlan.ts';

const challenges = '/.well-known/acme-challenge/';

export type ChallengeServer = {
  /** What to answer the authority, by the token that it asks for. */
  readonly answers: Map<string, string>;
  readonly port: number;
  close(): Promise<void>;
};

/**
 * Answers what authorities ask on port 80 (RFC 8555, section 8.3), and sends everybody else to the portal. An authority asks before there is a
 * certificate, and on no other port, so no server of ours could do it besides.
 */
export async function startChallengeServer({
  host,
  port,
  socket,
  portalUrl,
}: Pick<AcmePlan, 'host' | 'port' | 'socket' | 'portalUrl'>): Promise<ChallengeServer> {
  const answers = new Map<string, string>();
  const server = createServer(
    { headersTimeout: 10_000, requestTimeout: 10_000, connectionsCheckingInterval: 1_000, maxHeaderSize: serverLimits.requestHeadBytes },
    ({ url = '' }, response) => {
      response.setHeader('Connection', 'close');
      if (!url.startsWith(challenges)) {
        // A target that is no path names another server.
        response.writeHead(308, { Location: `${portalUrl}${url.startsWith('/') ? url : '/'}` }).end();
        return;
      }
      const answer = answers.get(url.slice(challenges.length));
      response.statusCode = answer === undefined ? 404 : 200;
      response.setHeader('Content-Type', 'text/plain').end(answer);
    },
  );
  const supervision = superviseConnections(server, { name: 'acme', connections: serverLimits.challengeConnections });
  return {
    answers,
    port: await listen(server, { host, port, held: socket, variables: { host: 'HOST', port: 'ACME_HTTP_PORT' } }),
    close: () => supervision.stop(),
  };
}
