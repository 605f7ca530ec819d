import { limits } from '../../server/domain/shared/limits.ts';
import { hostileCsrs } from './hostileCsrs.ts';
import { hostileJson } from './hostileDocuments.ts';
import { acknowledgementPath, hostileHeads } from './hostileHeads.ts';
import { type HostileRequest, knownMost, strangersMost } from './HostileRequest.ts';

/** Requests to the machine API, with a certificate whose common name this is. */
export function machineRequests(commonName: string): HostileRequest[] {
  const client = { name: 'client', headers: {} };
  const body = (name: string, text: () => string): HostileRequest => ({
    name: `machine, client: ${name}`,
    to: 'machine',
    most: knownMost,
    make: () => ({
      method: 'POST',
      path: acknowledgementPath,
      headers: { 'content-type': 'application/json', 'idempotency-key': 'a' },
      body: Buffer.from(text()),
    }),
  });
  const renewal = (name: string, text: () => string): HostileRequest => ({
    name: `machine, client: a renewal, ${name}`,
    to: 'machine',
    most: knownMost,
    make: () => ({
      method: 'POST',
      path: '/.well-known/est/simplereenroll',
      headers: { 'content-type': 'application/pkcs10' },
      body: Buffer.from(text()),
    }),
  });
  const bytes = limits.requestBodyBytes - 20;
  // In base64, four characters for three bytes.
  const derBytes = Math.floor(limits.requestBodyBytes * 0.75) - 20;
  return [
    ...hostileHeads('machine', client, strangersMost),
    ...Object.entries(hostileJson).flatMap(([name, json]) => [
      body(`JSON, ${name}`, () => json(bytes - 12)),
      body(`a member of ${name}`, () => `{"deletion_completed":${json(bytes - 30)}}`),
    ]),
    body('many unknown members', () => `{${Array.from({ length: bytes / 12 }, (_, index) => `"k${index}":1`).join(',')}}`),
    body('1 MiB', () => '['.repeat(1024 * 1024)),
    ...Object.entries(hostileCsrs).map(([name, der]) => renewal(name, () => der(commonName, derBytes).toString('base64'))),
    renewal('of one letter', () => 'A'.repeat(limits.requestBodyBytes)),
    renewal('of blanks', () => ' '.repeat(limits.requestBodyBytes)),
    renewal('of line ends', () => '\r\n'.repeat(limits.requestBodyBytes / 2)),
    renewal('of letters with blanks between them', () => 'A '.repeat(limits.requestBodyBytes / 2)),
    renewal('of equal signs', () => '='.repeat(limits.requestBodyBytes)),
    renewal('of hyphens', () => '-'.repeat(limits.requestBodyBytes)),
    renewal('of 1 MiB', () => 'A'.repeat(1024 * 1024)),
  ];
}
