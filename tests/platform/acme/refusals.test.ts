import { expect, test } from '@jest/globals';
import { AcmeRefusal } from '../../../server/platform/acme/AcmeRefusal.ts';
import { inFolder, LocalFault } from '../../../server/platform/acme/LocalFault.ts';
import { tellFailure } from '../../../server/platform/acme/tellFailure.ts';

const plan = {
  server: 'https://acme.example/directory',
  names: new Map([
    ['portal.example.com', 'PORTAL_URL'],
    ['api.example.com', 'MACHINE_API_URL'],
  ]),
};
const urn = 'urn:ietf:params:acme:error:';
const problem = (type: string, headers = {}, status = 403) =>
  AcmeRefusal.in({ status, data: JSON.stringify({ type: `${urn}${type}`, detail: 'because of that' }), headers });
const ofName = (type: string) =>
  AcmeRefusal.of({
    identifier: { value: 'api.example.com' },
    challenges: [{}, { error: { type: `${urn}${type}`, detail: 'because of that' } }],
  });

test.each([
  ['dns', 'the authority finds no address for', 'Have a record'],
  ['connection', 'the authority cannot reach port 80 of', 'Open port 80'],
  ['tls', 'the authority cannot reach port 80 of', 'Open port 80'],
  ['unauthorized', 'something else answers the authority on port 80 of', 'Have the DNS lead to this machine alone'],
  ['incorrectResponse', 'something else answers the authority on port 80 of', 'Have the DNS lead to this machine alone'],
  ['caa', 'CAA records forbid the authority to issue for', 'Add the authority to the CAA records'],
])('a name that could not be proven (%s) is told with its variable and what to do', (type, words, remedy) => {
  const told = tellFailure(ofName(type), plan);
  expect(told.words).toBe(`MACHINE_API_URL: ${words} api.example.com (because of that)`);
  expect(told.remedy).toContain(remedy);
});

test.each([
  ['rejectedIdentifier', 'PORTAL_URL, MACHINE_API_URL: the authority issues nothing for one of these names'],
  ['rateLimited', 'ACME_SERVER: the authority takes no more orders for now'],
  ['invalidContact', 'ACME_EMAIL: the authority does not take this address'],
  ['unsupportedContact', 'ACME_EMAIL: the authority does not take this address'],
  ['externalAccountRequired', 'ACME_SERVER: the authority wants an account that was made at its own site'],
  ['userActionRequired', 'ACME_SERVER: the authority wants you to do something first'],
  ['serverInternal', 'ACME_SERVER: the authority refuses'],
  ['toString', 'ACME_SERVER: the authority refuses'],
])('a refused order (%s) is told with its variable, the authority’s own words and what to do', (type, words) => {
  const told = tellFailure(problem(type), plan);
  expect(told.words.startsWith(words)).toBe(true);
  expect(told.words).toContain(`(${type}: because of that)`);
  expect(told.remedy).not.toBe('');
});

test('an answer without a problem in it is told by its status', () => {
  expect(tellFailure(AcmeRefusal.in({ status: 502, data: '<html>', headers: {} }), plan).words).toContain('(unknown: HTTP 502)');
});

test.each([
  [{ 'retry-after': '3600' }, 3_600_000],
  [{ 'retry-after': new Date(Date.now() + 7_200_000).toUTCString() }, 7_200_000],
  [{ 'retry-after': 'Wed, 21 Oct 2015 07:28:00 GMT' }, undefined],
  [{ 'retry-after': 'soon' }, undefined],
  [{}, undefined],
])('how long an authority wants to be left alone is taken from its answer: %j', (headers, wait) => {
  const { toldToWait } = problem('rateLimited', headers, 429).reason;
  expect(Math.round((toldToWait ?? -1) / 10_000)).toBe(Math.round((wait ?? -1) / 10_000));
});

const coded = (code: string) => Object.assign(new Error('what the library says'), { code });
test.each([
  [coded('ENOTFOUND'), 'ACME_SERVER: acme.example cannot be reached (ENOTFOUND)', 'NODE_EXTRA_CA_CERTS'],
  [new DOMException('x', 'TimeoutError'), 'ACME_SERVER: acme.example has not come to an end in time', 'status page'],
  [new Error('no newNonce'), 'ACME_SERVER: acme.example does not answer as an authority does (no newNonce)', 'directory'],
  [
    LocalFault.of(new Error('Port 80 is in use. Stop it, or take ACME_HTTP_PORT.'), ''),
    'Port 80 is in use',
    'Stop it, or take ACME_HTTP_PORT.',
  ],
  [LocalFault.of(coded('EPERM'), 'Correct HOST.'), 'what the library says', 'Correct HOST.'],
])('whatever else goes wrong names its variable as well: %s', (error, words, remedy) => {
  const told = tellFailure(error, plan);
  expect(told.words).toBe(words);
  expect(told.remedy).toContain(remedy);
});

test.each([
  ['EACCES', 'install -d -m 700'],
  ['EROFS', 'ReadWritePaths: copy the unit of this release again (docs/operating/one-machine.md, “Upgrade”)'],
  ['ENOSPC', 'Make room'],
])('a folder that cannot be used (%s) is told with what helps then', async (code, remedy) => {
  const fault: unknown = await inFolder(Promise.reject(coded(code))).catch((error: unknown) => error);
  const told = tellFailure(fault, plan);
  expect(told.words).toBe(`ACME_DIR: the folder cannot be used (${code})`);
  expect(told.remedy).toContain(remedy);
});
