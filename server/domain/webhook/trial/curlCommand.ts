/**
 * A request as a command for a POSIX shell. The path is sent as it is written, because it is signed like that. Receivers on the reader's own
 * machine seldom have a certificate that the machine trusts.
 */
export function curlCommand({ url, headers, body }: { url: string; headers: Readonly<Record<string, string>>; body: string }): string {
  const lines = Object.entries(headers).map(([name, value]) => `  -H ${quoted(`${name}: ${value}`)} \\`);
  return [
    `curl -sS -i ${url.startsWith('https:') ? '-k ' : ''}--path-as-is -g -X POST ${quoted(url)} \\`,
    ...lines,
    `  --data-binary ${quoted(body)}`,
  ].join('\n');
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}
