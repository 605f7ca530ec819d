import type { Call } from './Call.ts';

export function typescript({ method, path, headers, body }: Call): string {
  const options = ['dispatcher'];
  if (method !== 'GET') options.unshift(`method: '${method}'`);
  if (headers.length > 0) options.push(`headers: { ${headers.map(([name, value]) => `'${name}': '${value}'`).join(', ')} }`);
  if (body) options.push('json' in body ? `body: JSON.stringify(${literal(body.json)})` : `body: readFileSync('${body.file}')`);
  const url = `'{{origin}}${path}'`;
  const argument = options.length === 1 ? `${url}, { ${options[0]} }` : `${url}, {\n${options.map((each) => `  ${each},\n`).join('')}}`;
  return `import { readFileSync } from 'node:fs';
import { Agent, request } from 'undici';

// npm install undici
// {{name}}
const dispatcher = new Agent({
  connect: { cert: readFileSync('{{files}}.pem'), key: readFileSync('{{files}}.key') },
});

const { statusCode, body } = await request(${argument});
console.log(statusCode, await body.text());
`;
}

function literal(value: unknown): string {
  const members = Object.entries(value as Record<string, unknown>);
  return `{ ${members.map(([name, each]) => `${name}: ${typeof each === 'string' ? `'${each}'` : String(each)}`).join(', ')} }`;
}
