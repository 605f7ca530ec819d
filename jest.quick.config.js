import { globSync, readFileSync } from 'node:fs';
import config from './jest.config.js';

/** Every test but those that start a browser. */
const inBrowser = globSync('tests/**/*.test.ts').filter((file) => readFileSync(file, 'utf8').includes('launchBrowser'));
export default { ...config, testPathIgnorePatterns: inBrowser.map((file) => `/${file}$`) };
