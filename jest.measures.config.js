import config from './jest.config.js';

/** What `npm run measures` runs. It compares figures with goals, on a quiet machine, and is no part of the suite. */
export default {
  ...config,
  testMatch: ['**/tests/measures/**/*.measure.ts'],
  maxWorkers: 1,
  reporters: [['default', { summaryThreshold: 0 }]],
};
