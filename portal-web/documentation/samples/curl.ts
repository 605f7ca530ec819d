import type { Call } from './Call.ts';

export function curl({ method, path, headers, body }: Call): string {
  const lines = ['curl -sS --cert {{files}}.pem', '--key {{files}}.key'];
  for (const [name, value] of headers) lines.push(`-H "${name}: ${value}"`);
  if (body) lines.push('json' in body ? `--data '${JSON.stringify(body.json)}'` : `--data-binary @${body.file}`);
  else if (method !== 'GET') lines.push(`-X ${method}`);
  lines.push(`"{{origin}}${path}"`);
  return `# {{name}}\n${lines.join(' \\\n  ')}\n`;
}
