import type { Call } from './Call.ts';

export function python({ method, path, headers, body }: Call): string {
  const json = body !== null && 'json' in body;
  const extra = [
    body && (json ? `body=json.dumps(${literal(body.json)})` : `body=open("${body.file}", "rb")`),
    headers.length > 0 && `headers={${headers.map(([name, value]) => `"${name}": "${value}"`).join(', ')}}`,
  ].filter(Boolean);
  const first = `"${method}", "${path}"`;
  const argument = extra.length === 0 ? first : `\n    ${[first, ...extra].join(',\n    ')},\n`;
  return `import http.client
${json ? 'import json\n' : ''}import ssl

# {{name}}
context = ssl.create_default_context()
context.load_cert_chain("{{files}}.pem", "{{files}}.key")

connection = http.client.HTTPSConnection("{{host}}", context=context)
connection.request(${argument})
response = connection.getresponse()
print(response.status, response.read().decode())
`;
}

function literal(value: unknown): string {
  const members = Object.entries(value as Record<string, unknown>);
  return `{${members.map(([name, each]) => `"${name}": ${typeof each === 'boolean' ? (each ? 'True' : 'False') : JSON.stringify(each)}`).join(', ')}}`;
}
