import type { Call } from './Call.ts';

export function go({ method, path, headers, body }: Call): string {
  const json = body !== null && 'json' in body;
  const imports = ['crypto/tls', 'fmt', 'io', 'log', 'net/http', ...(body ? [json ? 'strings' : 'os'] : [])];
  const opened = body && !json ? [`body, err := os.Open("${body.file}")`, ...unlessDone] : [];
  const sent = body ? (json ? `strings.NewReader(\`${JSON.stringify(body.json)}\`)` : 'body') : 'nil';
  const lines = [
    '// {{name}}',
    'certificate, err := tls.LoadX509KeyPair("{{files}}.pem", "{{files}}.key")',
    ...unlessDone,
    'client := &http.Client{Transport: &http.Transport{',
    '\tTLSClientConfig: &tls.Config{Certificates: []tls.Certificate{certificate}},',
    '}}',
    '',
    ...opened,
    `request, err := http.NewRequest("${method}", "{{origin}}${path}", ${sent})`,
    ...unlessDone,
    ...headers.map(([name, value]) => `request.Header.Set("${name}", "${value}")`),
    'response, err := client.Do(request)',
    ...unlessDone,
    'defer response.Body.Close()',
    'answer, err := io.ReadAll(response.Body)',
    ...unlessDone,
    'fmt.Println(response.StatusCode, string(answer))',
  ];
  const indented = lines.map((line) => (line === '' ? '' : `\t${line}`)).join('\n');
  return `package main

import (
${imports.map((name) => `\t"${name}"`).join('\n')}
)

func main() {
${indented}
}
`;
}

const unlessDone = ['if err != nil {', '\tlog.Fatal(err)', '}'];
