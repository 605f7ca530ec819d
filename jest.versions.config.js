import { globSync, readFileSync } from 'node:fs';
import config from './jest.config.js';

/**
 * What `npm run test:versions` runs on each version of PostgreSQL: in the folders whose code is statements, every file that has a database,
 * but those that start a browser, cut connections, or hold query plans at full size or schema.sql to the newest version.
 */
const files = globSync('tests/{database,domain,workers,rest-api}/**/*.test.ts').filter((file) => {
  const text = readFileSync(file, 'utf8');
  return /openWorld|createTestDatabase/.test(text) && !/launchBrowser|openDatabaseProxy|createFullDatabase|schema\.sql/.test(text);
});
export default { ...config, testMatch: files.map((file) => `<rootDir>/${file}`) };
