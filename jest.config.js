/** Jest runs the TypeScript sources as native ES modules; decorators need swc's legacy transform. */
export default {
  testEnvironment: '<rootDir>/tests/support/run/testEnvironment.js',
  runtime: '<rootDir>/tests/support/run/workerRuntime.js',
  roots: ['<rootDir>/tests'],
  testMatch: ['**/*.test.ts'],
  extensionsToTreatAsEsm: ['.ts'],
  globalSetup: '<rootDir>/tests/support/run/globalSetup.ts',
  globalTeardown: '<rootDir>/tests/support/run/globalTeardown.ts',
  testTimeout: 60_000,
  reporters: ['default', '<rootDir>/tests/support/run/summaryReporter.js'],
  // A worker keeps something of every file that it has run; one that starts anew collects less garbage and ends sooner.
  workerIdleMemoryLimit: '1GB',
  // Much of a test is waiting for the database or the browser, so two cores keep four of them busy.
  maxWorkers: 4,
  transform: {
    '^.+\\.ts$': [
      '@swc/jest',
      {
        jsc: {
          target: 'es2024',
          parser: { syntax: 'typescript', decorators: true },
          transform: { legacyDecorator: true, decoratorMetadata: false, useDefineForClassFields: false },
          keepClassNames: true,
        },
        module: { type: 'es6' },
      },
    ],
  },
};
