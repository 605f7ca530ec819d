import { readFileSync } from 'node:fs';
import { ConfigError } from './ConfigError.ts';
import { key } from './values.ts';

type KeyName = 'MASTER_KEY' | 'MASTER_KEY_PREVIOUS' | 'SIGNING_KEY' | 'SIGNING_KEY_PREVIOUS';
type KeyVariables = { readonly [Name in KeyName]?: Buffer | undefined } & { readonly [Name in `${KeyName}_FILE`]?: string | undefined };
type WrappingKeys = Readonly<Record<'masterKey' | 'masterKeyPrevious' | 'signingKey' | 'signingKeyPrevious', Buffer | undefined>>;

/** The keys that wrap what is stored, each from its variable or from the file that is named. Throws `ConfigError`. */
export function wrappingKeys(variables: KeyVariables): WrappingKeys {
  const read = (name: 'MASTER_KEY' | 'SIGNING_KEY') => {
    const current = keyOf(variables, name);
    const previous = keyOf(variables, `${name}_PREVIOUS`);
    if (previous && !current) throw new ConfigError([`${name}: is required when ${name}_PREVIOUS is set`]);
    if (current && previous?.equals(current)) throw new ConfigError([`${name}_PREVIOUS: must be another key than ${name}`]);
    return [current, previous] as const;
  };
  const [masterKey, masterKeyPrevious] = read('MASTER_KEY');
  const [signingKey, signingKeyPrevious] = read('SIGNING_KEY');
  // Every process has MASTER_KEY. What only workers may open would be open to all of them.
  if (masterKey && signingKey?.equals(masterKey)) throw new ConfigError(['SIGNING_KEY: must be another key than MASTER_KEY']);
  return { masterKey, masterKeyPrevious, signingKey, signingKeyPrevious };
}

/** The variables that hold a signing key or name its file. */
export const signingVariables = ['SIGNING_KEY', 'SIGNING_KEY_FILE', 'SIGNING_KEY_PREVIOUS', 'SIGNING_KEY_PREVIOUS_FILE'] as const;

function keyOf(variables: KeyVariables, name: KeyName): Buffer | undefined {
  const value = variables[name];
  const path = variables[`${name}_FILE`];
  // Which of the two counts would be a surprise for one of those who set them.
  if (value !== undefined && path !== undefined) throw new ConfigError([`${name}: must not be set beside ${name}_FILE`]);
  return value ?? (path === undefined ? undefined : keyFromFile(`${name}_FILE`, path));
}

function keyFromFile(name: string, path: string): Buffer {
  let text: string;
  try {
    text = readFileSync(path, 'utf8').trim();
  } catch (error) {
    const denied = error instanceof Error && 'code' in error && error.code === 'EACCES';
    throw new ConfigError([`${name}: ${denied ? 'this account may not read the file' : 'the file cannot be read'}`]);
  }
  const parsed = key.safeParse(text);
  if (!parsed.success) throw new ConfigError([`${name}: the file ${parsed.error.issues[0]?.message}`]);
  return parsed.data;
}
