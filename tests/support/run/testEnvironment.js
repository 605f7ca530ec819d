import { TestEnvironment } from 'jest-environment-node';

// A worker that has run many files needs longer to take its heap apart than Jest waits before it ends a worker by force, and says that a
// test has left something open. When a worker exits, nothing is left to do: it goes at once.
if (process.send) process.once('exit', (code) => process.reallyExit(code));

/** Jest's own environment of Node, in a worker that exits at once. */
export default TestEnvironment;
