import type pg from 'pg';
import { rowTypes } from '../../server/database/connection/rowTypes.ts';
import type { Type } from './database.ts';

/** What a driver makes of a value. */
export type Decoded = 'string' | 'number' | 'boolean' | 'Date' | 'Buffer' | 'json' | { readonly of: Decoded };

const samples: Readonly<Record<string, string>> = {
  boolean: 't',
  bytea: '\\x00',
  json: '{}',
  jsonb: '{}',
  interval: '01:00:00',
  date: '2026-01-02',
  'timestamp with time zone': '2026-01-02 03:04:05+00',
  'timestamp without time zone': '2026-01-02 03:04:05',
};

/** Has the driver's own parsers decode a sample of each type. */
export function decoder(types: ReadonlyMap<number, Type>): (type: number) => Decoded {
  const parsers: pg.CustomTypesConfig = rowTypes;
  return (type) => kindOf(parsers.getTypeParser(type)(sampleOf(type, types)), types.get(type)?.name ?? '');
}

function sampleOf(oid: number, types: ReadonlyMap<number, Type>): string {
  const { name = '', category = '', element = 0 } = types.get(oid) ?? {};
  if (category === 'A') return `{"${sampleOf(element, types).replaceAll('\\', '\\\\')}"}`;
  return samples[name] ?? (category === 'N' ? '1' : 'x');
}

function kindOf(value: unknown, name: string): Decoded {
  if (Array.isArray(value)) return { of: kindOf(value[0], name.replace(/\[\]$/, '')) };
  if (name === 'json' || name === 'jsonb') return 'json';
  if (value instanceof Date) return 'Date';
  if (Buffer.isBuffer(value)) return 'Buffer';
  if (typeof value === 'number' || typeof value === 'boolean' || typeof value === 'string') return typeof value as 'string';
  throw new Error(`A value of ${name} is decoded as ${typeof value}.`);
}
