import type { MachineResponse } from './MachineResponse.ts';

/** The answers, one after the other, in what a server has sent; each must have a Content-Length. */
export function parseAnswers(bytes: Buffer): MachineResponse[] {
  const answers: MachineResponse[] = [];
  let at = 0;
  while (at < bytes.length) {
    const end = bytes.indexOf('\r\n\r\n', at);
    const [statusLine = '', ...lines] = bytes.subarray(at, end).toString().split('\r\n');
    const headers = Object.fromEntries(
      lines.map((line) => [line.slice(0, line.indexOf(':')).toLowerCase(), line.slice(line.indexOf(':') + 2)]),
    );
    const length = Number(headers['content-length'] ?? 0);
    const text = bytes.subarray(end + 4, end + 4 + length).toString();
    answers.push({ status: Number(statusLine.split(' ')[1]), headers, text, body: text === '' ? null : JSON.parse(text) });
    at = end + 4 + length;
  }
  return answers;
}
