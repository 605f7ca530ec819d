import type { Call } from './Call.ts';

/** How the operators' kit makes each call of /v1. */
const calls: Readonly<Record<string, string>> = {
  getCapabilities: 'await client.capabilities()',
  redeemLinkCode: "await client.redeemLinkCode('{{link_code}}')",
  getSync: '(await client.page()).value',
  getOrder: "(await client.order('{{order_id}}')).value",
  getOrderHistory: "await client.historyPage('{{order_id}}')",
  getVehicle: "(await client.vehicle('{{vehicle_id}}')).value",
  getVehicleHistory: "await client.historyPage('{{vehicle_id}}')",
  getOrderStatistics: '(await client.statistics()).value',
  acknowledgeRevocation: "await client.acknowledge('{{revocation_id}}', '{{revocation_id}}')",
};
/** What it has that goes further than one call. */
const more: Readonly<Record<string, string>> = {
  getSync: '`client.sync(feed)` follows the feed to its end and stores what it brings.',
  getOrderHistory: '`client.history(id)` gives the changes of all pages.',
  getVehicleHistory: '`client.history(id)` gives the changes of all pages.',
  acknowledgeRevocation: '`client.acknowledgeDeletions(feed)` acknowledges what you have marked as deleted.',
  renewCertificate: '`renewWhenDue(client, credentials)` of svc-operator-kit makes the request, waits, and switches the files.',
};

export function typescript(call: Call): string {
  const said = more[call.name];
  const comment = said === undefined ? '' : `// ${said}\n`;
  const made = calls[call.name];
  return made === undefined ? withoutKit(call, comment) : withKit(made, comment);
}

function withKit(made: string, comment: string): string {
  return `import { OperatorClient, pemFiles } from 'svc-operator-kit';

// npm install {{kit_url}}
// {{name}}
const client = new OperatorClient({
  baseUrl: '{{origin}}/v1',
  credentials: pemFiles({ cert: '{{files}}.pem', key: '{{files}}.key' }),
  expect: { environment: '{{environment}}' },
});

${comment}console.log(${made});
client.close();
`;
}

/** The paths of renewal are there for any client of EST. */
function withoutKit({ method, path, headers, body }: Call, comment: string): string {
  const file = body && 'file' in body ? body.file : null;
  const options = [
    ...(method === 'GET' ? [] : [`method: '${method}'`]),
    "cert: readFileSync('{{files}}.pem')",
    "key: readFileSync('{{files}}.key')",
    ...(headers.length === 0 ? [] : [`headers: { ${headers.map(([name, value]) => `'${name}': '${value}'`).join(', ')} }`]),
  ];
  return `import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { request } from 'node:https';

// {{name}}
${comment}const call = request('{{origin}}${path}', {
${options.map((each) => `  ${each},\n`).join('')}});
call.end(${file === null ? '' : `readFileSync('${file}')`});
const [response] = await once(call, 'response');
console.log(response.statusCode, (await response.toArray()).join(''));
`;
}
