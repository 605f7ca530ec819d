/** Jest runs test files in Node's own module system, in processes that each load the product once. */
export default {
  runner: ['jest-light-runner', { runtime: 'child_process' }],
  roots: ['<rootDir>/tests'],
  testMatch: ['**/*.test.ts'],
  transform: {},
  setupFilesAfterEnv: ['<rootDir>/tests/support/run/worker.ts'],
  globalSetup: '<rootDir>/tests/support/run/globalSetup.ts',
  globalTeardown: '<rootDir>/tests/support/run/globalTeardown.ts',
  reporters: ['default', '<rootDir>/tests/support/run/summaryReporter.js'],
  // Much of a test is waiting for the database or the browser, so two cores keep six of them busy.
  maxWorkers: 6,
};
