import type { Config } from '../config/config.ts';
import { generatedKey } from './generatedKeys.ts';

/** MASTER_KEY, or one generated into the data folder on a developer's machine. */
export function masterKeyOf(config: Config): Promise<Buffer> {
  return config.masterKey ? Promise.resolve(config.masterKey) : generatedKey(config.dataDir, 'master');
}

/** SIGNING_KEY, or one generated into the data folder on a developer's machine. Workers only. */
export function signingKeyOf(config: Config): Promise<Buffer> {
  return config.signingKey ? Promise.resolve(config.signingKey) : generatedKey(config.dataDir, 'signing');
}
