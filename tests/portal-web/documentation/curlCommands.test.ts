import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { curlCommand } from '../../../server/domain/webhook/trial/curlCommand.ts';
import { firstCallCommands } from '../../../portal-web/src/features/integration/firstCallCommands.ts';
import { acknowledgementCommands, redeemCommands } from '../../../portal-web/src/features/integration/machineCommands.ts';
import { curl } from '../../../portal-web/documentation/samples/curl.ts';

const facts = {
  machineApiUrl: 'https://localhost:8443/v1',
  portalUrl: 'http://localhost:3000',
  developmentCa: true,
  keyName: 'sandbox-2026-11',
  kitVersion: '1.0.0',
  slug: 'nordlys',
  environment: 'sandbox',
} as const;

/** What readers paste: the code of the guides and of the README, and what the pages make. */
const guides = readdirSync('docs/guides').map((name) => `docs/guides/${name}`);
const written = [...guides, 'README.md'].map((file): [string, string] => {
  const text = readFileSync(file, 'utf8');
  const blocks = [...text.matchAll(/^ *```sh\n([^]*?)^ *```/gm)].map(([, block = '']) => block);
  const inLines = [...text.replaceAll(/^ *```[^]*?^ *```/gm, '').matchAll(/`([^`\n]*)`/g)].map(([, code = '']) => code);
  return [file, [...blocks, ...inLines].join('\n')];
});
const made: [string, string][] = Object.entries({
  'first calls': firstCallCommands(facts, true).curl,
  'link code': redeemCommands('0428815903', facts).curl,
  'one deletion': acknowledgementCommands(['rev_x'], facts).curl,
  'several deletions': acknowledgementCommands(['rev_x', 'rev_y'], facts).curl,
  'trial of a webhook': curlCommand({ url: 'https://localhost:8443/in', headers: {}, body: '' }),
  'sample of the reference': curl({ name: '', method: 'GET', path: '/v1/sync', headers: [], body: null }),
});

test.each([...written, ...made])('%s: curl shows its errors and no progress', (_, code) => {
  const commands = [...code.matchAll(/(?<![\w.-])curl -.*/g)].map(([command]) => command);
  expect(commands.filter((command) => !/^curl -sSO? /.test(command))).toEqual([]);
});

test.each(written.filter(([file]) => file !== 'README.md'))('%s: a call fits the width of a page', (_, code) => {
  const filled = code.replaceAll('{base_url}', facts.machineApiUrl).replaceAll('{portal_url}', facts.portalUrl);
  const calls = filled.matchAll(/^.*\b(?:curl -|call ).*(?:\\\n.*)*/gm);
  expect([...calls].flatMap(([call]) => call.split('\n')).filter((line) => line.length > 80)).toEqual([]);
});
