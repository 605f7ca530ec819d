import type { BlockList, Socket } from 'node:net';
import { createServer, type Server } from 'node:https';
import type { TLSSocket } from 'node:tls';
import Koa from 'koa';
import { FinishedLeases } from '../server/domain/client/admission/FinishedLeases.ts';
import { releaseLeases } from '../server/domain/client/admission/admit.ts';
import { createCursorCodecs } from '../server/domain/feed/cursor.ts';
import type { Clock } from '../server/domain/shared/clock.ts';
import type { DomainError } from '../server/domain/shared/DomainError.ts';
import { derivedKeys } from '../server/domain/shared/keySet.ts';
import { limits } from '../server/domain/shared/limits.ts';
import { serverLimits } from '../server/platform/http/serverLimits.ts';
import type { SupportContact } from '../server/domain/shared/supportContact.ts';
import { type KeyRing, subKey } from '../server/database/keyRing.ts';
import type { ConnectionSizes } from '../server/database/connection/connectionUses.ts';
import { createOrm } from '../server/database/orm.ts';
import { databaseState } from '../server/database/readiness.ts';
import type { Logger } from '../server/platform/logger.ts';
import { answerBare } from '../server/platform/http/bareAnswer.ts';
import { boundHeads } from '../server/platform/http/boundHeads.ts';
import type { ReadinessState } from '../server/platform/http/Readiness.ts';
import { connectionShare } from '../server/platform/http/openFiles.ts';
import { boundUnreadBody } from '../server/platform/http/receiveBody.ts';
import { superviseConnections } from '../server/platform/http/superviseConnections.ts';
import { takeRequestsInTurn } from '../server/platform/http/takeRequestsInTurn.ts';
import type { KeptPair } from '../server/platform/tls/keepServerPair.ts';
import { listen } from '../server/platform/listen.ts';
import { acceptTarget, unreadableTarget } from '../server/platform/requestTarget.ts';
import type { ServerPair } from '../server/platform/tls/serverPair.ts';
import { refuseBroken } from './answer/brokenRequests.ts';
import { BufferPool } from './answer/bufferPool.ts';
import { ClientAuthorities } from './tls/clientAuthorities.ts';
import { type DatabaseClients, openDatabaseClients } from './database/databaseClients.ts';
import type { MachineState } from './MachineContext.ts';
import { answerCaCertificates } from './middleware/answerCaCertificates.ts';
import { answerSecurityTxt } from './middleware/answerSecurityTxt.ts';
import { answerProblems } from './middleware/answerProblems.ts';
import { dispatch } from './middleware/dispatch.ts';
import { identifyCertificate } from './middleware/identifyCertificate.ts';
import { limitTime } from './middleware/limitTime.ts';
import { observeRequests } from './middleware/observeRequests.ts';
import { recordUsage } from './middleware/recordUsage.ts';
import { takeLease } from './middleware/takeLease.ts';
import { openUsageRecorder } from './database/openUsageRecorder.ts';
import { commandRunner } from './database/runCommand.ts';
import { secureContext } from './tls/secureContext.ts';
import { UnauthenticatedLimit } from './answer/UnauthenticatedLimit.ts';

type MachineApiDependencies = {
  readonly host: string;
  /** 0 takes any free port. */
  readonly port: number;
  /** A socket that listens already, in place of host and port. */
  readonly held?: number | undefined;
  readonly databaseUrl: string;
  readonly databaseConnections?: ConnectionSizes;
  readonly keyRing: KeyRing;
  readonly logger: Logger;
  readonly clock: Clock;
  /** The server's own certificate (with its chain) and key, which may change. */
  readonly tls: ServerPair & Partial<Pick<KeptPair, 'onChange'>>;
  /** The portal's origin, where each problem code has a page. */
  readonly portalUrl: string;
  /** The origin that clients call, if it is configured. `security.txt` names it. */
  readonly publicUrl?: string | undefined;
  readonly supportContact: SupportContact;
  /** How many connections it may hold: all that the process may open, unless another server shares them. */
  readonly connections?: number;
  /** Our own balancers. Each of their connections begins with a header of the PROXY protocol, and counts for the address in it. */
  readonly trustedBalancers?: BlockList;
  readonly handshakeTimeoutMs?: number;
  /** Aborted when the process is told to stop. From then on, each answer ends its connection. */
  readonly stopping?: AbortSignal;
  /** How long a request may take: 30 seconds unless a test says otherwise. */
  readonly requestTimeoutMs?: number;
  readonly unauthenticatedRequestsPerMinute?: number;
  /** How often the authorities are read: every minute unless a test says otherwise. */
  readonly authorityReloadMs?: number;
};

type MachineApi = {
  /** `https://…` with the bound port, without the version segment. */
  readonly url: string;
  readonly port: number;
  /**
   * Whether clients can be served, or why not: admission has a connection, the database can write, its clock is within a second of ours,
   * and an authority is loaded.
   */
  state(): Promise<ReadinessState>;
  /** Stops listening, finishes the requests that have arrived (within 10 s) and releases their leases. It waits for nobody else. */
  close(): Promise<void>;
};

const missingAuthorityReloadMs = 1_000;

/** Starts the machine API. Resolves once it listens, even if the database cannot be reached; it then answers 503. */
export async function startMachineApi(dependencies: MachineApiDependencies): Promise<MachineApi> {
  const { host, port, clock, logger, portalUrl, databaseConnections = {}, requestTimeoutMs = serverLimits.requestTimeout } = dependencies;
  const clients = openDatabaseClients(dependencies.databaseUrl, databaseConnections);
  const orm = await createOrm(dependencies.databaseUrl, {
    name: 'machine-api-commands',
    poolMax: databaseConnections['machine-api-commands'],
  });
  const leases = new FinishedLeases((finished) => releaseLeases(clients.admission, finished));
  const usage = openUsageRecorder(dependencies.databaseUrl, logger);
  const authorities = new ClientAuthorities();
  const unauthenticated = new UnauthenticatedLimit(dependencies.unauthenticatedRequestsPerMinute);

  const app = new Koa<MachineState>();
  // answerProblems answers refusals and faults. Only broken connections get here, which Koa would print.
  app.on('error', (error: unknown) => logger.debug({ err: error }, 'connection broke'));
  app.use(observeRequests(logger));
  app.use(recordUsage({ recorder: usage.recorder, clock }));
  app.use(answerProblems({ portalUrl, logger }));
  const origins = [portalUrl, dependencies.publicUrl ?? ''];
  app.use(answerSecurityTxt({ facts: { contact: dependencies.supportContact, origins }, unauthenticated, clock }));
  app.use(answerCaCertificates({ authorities, unauthenticated }));
  app.use(identifyCertificate({ authorities, unauthenticated, clock }));
  app.use(limitTime(requestTimeoutMs));
  app.use(takeLease({ query: clients.admission, leases, unauthenticated, clock }));
  app.use(
    dispatch({
      read: clients.read,
      readRows: clients.readRows,
      cursors: createCursorCodecs(derivedKeys(dependencies.keyRing.cursor, (key) => subKey(key, 'sync'))),
      pool: new BufferPool(),
      run: commandRunner(orm, undefined, clients.whileThere),
      clock,
      lookupKeys: dependencies.keyRing.lookup,
      authorities,
    }),
  );

  await authorities.reload(clients.read, clock.now()).catch(() => logger.warn('client authorities could not be loaded yet'));
  const server = createMachineServer(dependencies.tls, authorities, requestTimeoutMs);
  boundHeads(server);
  const connections = superviseConnections(server, {
    name: 'rest-api',
    connections: dependencies.connections ?? connectionShare(1),
    ...(dependencies.trustedBalancers && { balancers: dependencies.trustedBalancers }),
    handshakeTimeoutMs: dependencies.handshakeTimeoutMs ?? serverLimits.handshakeTimeout,
    stopping: dependencies.stopping,
  });
  const refuse = (refusal: DomainError, socket: Socket) => refuseBroken(refusal, socket, { portalUrl, logger, unauthenticated });
  const answer = app.callback();
  takeRequestsInTurn(server, {
    refuse,
    handle(request, response) {
      boundUnreadBody(request, response);
      if (acceptTarget(request)) void answer(request, response);
      else void refuse(unreadableTarget(), request.socket).then((bare) => answerBare(response, bare));
    },
  });
  server.on('connection', (socket) => authorities.noteConnection(socket));
  // If the signature of a certificate does not fit, OpenSSL leaves an error behind that Node would take for one of the connection's next read.
  // Asking for the certificate clears it.
  server.prependListener('secureConnection', (socket: TLSSocket) => socket.getPeerX509Certificate());
  const stopReloading = keepAuthorities(server, { ...dependencies, authorities, clients });
  const bound = await listen(server, { host, port, held: dependencies.held, variables: { host: 'HOST', port: 'MACHINE_API_PORT' } });

  return {
    url: `https://${host === '127.0.0.1' || host === '0.0.0.0' || host === '::' ? 'localhost' : host}:${bound}`,
    port: bound,
    state: () => stateOf(clients, authorities, clock),
    close: async () => {
      stopReloading();
      await connections.stop();
      await leases.flush();
      await usage.close();
      await clients.close();
      await orm.close(true);
    },
  };
}

function createMachineServer(tls: MachineApiDependencies['tls'], authorities: ClientAuthorities, requestTimeoutMs: number): Server {
  return createServer({
    ...secureContext(tls, authorities.pems),
    requestCert: true,
    // Refusals are answered with problems, not with TLS alerts.
    rejectUnauthorized: false,
    // Without it, Node would answer a client that offers only h2 or http/1.0 with an alert. So no protocol is agreed on, and HTTP/1.1 is
    // spoken with all.
    ALPNProtocols: [],
    allowHalfOpen: true,
    maxHeaderSize: serverLimits.requestHeadBytes,
    requireHostHeader: false,
    requestTimeout: requestTimeoutMs,
    headersTimeout: requestTimeoutMs,
    connectionsCheckingInterval: Math.min(1_000, requestTimeoutMs),
    keepAliveTimeout: serverLimits.keepAlive,
    noDelay: true,
  });
}

type Keeping = {
  authorities: ClientAuthorities;
  clients: DatabaseClients;
  clock: Clock;
  logger: Logger;
  tls: MachineApiDependencies['tls'];
  authorityReloadMs?: number;
};

/** Reloads the authorities every minute (every second while there are none), and applies their changes and those of our own certificate to new handshakes. */
function keepAuthorities(
  server: Server,
  { authorities, clients, clock, logger, tls, authorityReloadMs = limits.keyRingReload }: Keeping,
): () => void {
  const apply = () => server.setSecureContext(secureContext(tls, authorities.pems));
  tls.onChange?.(apply);
  let timer: NodeJS.Timeout;
  const schedule = () => {
    timer = setTimeout(reload, authorities.loaded ? authorityReloadMs : missingAuthorityReloadMs);
    timer.unref();
  };
  const reload = () => {
    authorities
      .reload(clients.read, clock.now())
      .then((changed) => {
        if (changed) apply();
      })
      .catch((error: unknown) => logger.warn({ err: error }, 'client authorities could not be reloaded'))
      .finally(schedule);
  };
  schedule();
  return () => clearTimeout(timer);
}

async function stateOf(clients: DatabaseClients, authorities: ClientAuthorities, clock: Clock): Promise<ReadinessState> {
  const state = await databaseState(clients.admission, clock);
  return state === 'ready' && !authorities.loaded ? 'no_authorities' : state;
}
