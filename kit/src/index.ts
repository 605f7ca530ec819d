import './runtime.ts';

// What `import … from 'svc-operator-kit'` gives. The stores and the receiver have entries of their own.
export { newCertificateRequest } from './certificates/certificateRequest.ts';
export { checkPair, type CheckedPair } from './certificates/checkPair.ts';
export { renewWhenDue, type Renewal, type RenewalOptions } from './certificates/renewWhenDue.ts';
export { pemFiles, pfxFile, type Credentials, type Identity } from './client/credentials.ts';
export { AccessEnded, KitError, Problem, RateLimited } from './client/errors.ts';
export {
  OperatorClient,
  type CallOptions,
  type ClientOptions,
  type Expectation,
  type Read,
  type ReadOptions,
} from './client/OperatorClient.ts';
export { realTime, type Time } from './client/time.ts';
export { version } from './client/version.ts';
export type * from './contract/contract.ts';
export type { StatedDeletion } from './sync/acknowledgeDeletions.ts';
export { feedOn, type Feed } from './sync/Feed.ts';
export type { Checkpoint, Deletion, FeedStore, ResourceRow } from './sync/FeedStore.ts';
export type { Ended, Handlers } from './sync/Handlers.ts';
export { runAtOnce, runAwaiting, type Awaitable, type Steps } from './sync/steps.ts';
export type { Synced, SyncOptions } from './sync/sync.ts';
