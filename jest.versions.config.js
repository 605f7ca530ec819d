import { globSync, readFileSync } from 'node:fs';
import config from './jest.config.js';

/** They send the same statements as others, many times over: for a property, for every mail, or for what the sandbox contains. */
const repeats = /feedProperty|notifications|corpus\/|receiver-check\/|review\/check\/|sandboxSimulator/;

/**
 * What `npm run test:versions` runs on each version of PostgreSQL: in the folders whose code is statements, every file that has a database,
 * but those that start a browser, cut connections, or hold query plans at full size or schema.sql to the newest version.
 */
const files = globSync(['tests/{database,domain,workers}/**/*.test.ts', 'tests/rest-api/{,feed/}*.test.ts']).filter((file) => {
  const text = readFileSync(file, 'utf8');
  const hasDatabase = /openWorld|createTestDatabase/.test(text);
  return hasDatabase && !/launchBrowser|openDatabaseProxy|createFullDatabase|schema\.sql/.test(text) && !repeats.test(file);
});
export default { ...config, testMatch: files.map((file) => `<rootDir>/${file}`) };
