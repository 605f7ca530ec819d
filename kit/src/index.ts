import './runtime.ts';

// What `import … from 'svc-operator-kit'` gives. The stores and the receiver have entries of their own.
export { newCertificateRequest } from './certificates/certificateRequest.ts';
export { checkPair, type CheckedPair } from './certificates/checkPair.ts';
export * from './certificates/renewWhenDue.ts';
export type * from './client/calls.ts';
export * from './client/credentials.ts';
export * from './client/errors.ts';
export * from './client/OperatorClient.ts';
export { realTime, type Time } from './client/time.ts';
export * from './client/version.ts';
export type * from './contract/contract.ts';
export type * from './sync/acknowledgeDeletions.ts';
export * from './sync/Feed.ts';
export type * from './sync/FeedStore.ts';
export { runAtOnce, runAwaiting, type Awaitable, type Steps } from './sync/steps.ts';
export type * from './sync/sync.ts';
