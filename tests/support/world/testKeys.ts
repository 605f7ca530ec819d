import { readConfig, type Config } from '../../../server/config/config.ts';
import type { WrappingKeys } from '../../../server/platform/keyStore.ts';

/** The keys that wrap what the tests' databases store. */
export const masterKeys: WrappingKeys = { variable: 'MASTER_KEY', current: Buffer.alloc(32, 1) };
/** What wrapped them before, where a test's database has seen a change of keys. */
export const formerMasterKeys: WrappingKeys = { variable: 'MASTER_KEY', current: Buffer.alloc(32, 3) };
export const signingKeys: WrappingKeys = { variable: 'SIGNING_KEY', current: Buffer.alloc(32, 2) };

/** The configuration of a terminal that has no variables of its own. */
export const terminalConfig = (env: Record<string, string> = {}): Config => readConfig('admin', { DATA_DIR: '/nonexistent', ...env });
