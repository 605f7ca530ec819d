function refuse(): never[] {
  throw new Error('svc-operator-kit runs in Node only: a browser cannot present the client certificate, and must not have its key.');
}

/** The names of the library, so that a bundler gets as far as that sentence. */
export const [
  AccessEnded,
  KitError,
  OperatorClient,
  Problem,
  RateLimited,
  feedOn,
  pemFiles,
  pfxFile,
  realTime,
  runAtOnce,
  runAwaiting,
  version,
] = refuse();
