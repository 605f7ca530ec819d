import { KiB, second, day } from '../../domain/shared/limits.ts';

/** Limits of the two HTTP servers, of their connections and of a process; durations in milliseconds, sizes in bytes. */
export const serverLimits = {
  /** The request line and all headers together. How long each header may be, `platform/http/requestHeaders.ts` says. */
  requestHeadBytes: 16 * KiB,
  requestHeaderLines: 100,
  /** Up to this size, compressing saves less than a packet. */
  uncompressedBytes: KiB,
  /** Node has four threads for this and for files and names. Each compression holds up to 3 MiB besides its body and what becomes of that. */
  compressionsAtOnce: 4,
  requestTimeout: 30 * second,

  /**
   * Connections of one server. A client has 4 requests in progress at once and a browser 6 connections, so these limits leave room for many
   * of either behind one address.
   */
  handshakeTimeout: 10 * second,
  unfinishedHandshakes: 1_000,
  unfinishedHandshakesPerAddress: 200,
  /**
   * What a client sends in a handshake. A greeting with the hybrid key takes some 2 KB, a chain of three with a key of 8,192 bits 3.5 and a signature
   * by that key one.
   */
  handshakeBytes: 8 * KiB,
  /** proxy-protocol.txt, 2.1 and 2.2: a line of version 1 with its end, and what may follow the 16 bytes of version 2 (addresses take 216). */
  proxyHeaderBytes: { line: 107, following: 1_024 },
  /** Measured: an idle connection with TLS takes about 45 KiB of memory, ten of them because its handshake was inspected. */
  connectionsPerServer: 10_000,
  /** RFC 9116, section 2.5.5, recommends less than a year. */
  securityTxtLifetime: 180 * day,
  metricsConnections: 32,
  /** Of port 80, where authorities ask and a browser is sent on. */
  challengeConnections: 64,
  /** Open files that the database, mail, uploads, metrics and the log may need. */
  reservedOpenFiles: 256,
  /** Sockets of deliveries, in a process that also works: as many attempts as may be under way (`webhookAttemptPools`). */
  deliveriesOpenFiles: 640,
  /** A visitor of a page, or the proxy in front, sends the request's head at once. */
  portalHeadersTimeout: 15 * second,
  /**
   * Idle connections are kept longer than the minute after which load balancers usually drop theirs, so that a balancer never meets a
   * closed one. The first is for a peer that neither sends nor reads, on a connection that has not been used yet or while it is answered: longer
   * than any answer may take to begin.
   */
  connectionInactivity: 65 * second,
  keepAlive: 65 * second,
  /** Requests that a caller may send ahead of the answers on one connection. They are processed one after the other. */
  pipelinedRequests: 32,
  /** How long a caller may go on sending a body that is no longer read. */
  unreadBody: 5 * second,
  /** How long a caller may take to read the last answer of a connection before it is cut off. */
  lastAnswerRead: 2 * second,
  /** How long an answer may take once the caller has ended their side. They may be waiting for it, or may have hung up. */
  answerAfterEnd: 3 * second,
  /** Seconds, in production: a balancer that asks every second or two has noticed by then. */
  drainSeconds: 10,
  /** How long a stop waits for requests that have arrived, and for peers that still have to send or read. */
  stopPatience: { requests: 10 * second, peers: second },
  /** docs/specification.md, “Portal requests”: from when on a process says what held its event loop, and how often it looks. */
  loopHeld: 100,
  loopWatchedEvery: 20,
} as const;
