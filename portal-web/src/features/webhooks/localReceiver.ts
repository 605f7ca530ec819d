import { paths } from '../../paths.ts';

type Development = {
  readonly portalUrl: string;
  readonly machineApiUrl: string;
  readonly receiver: { readonly host: string; readonly port: number; readonly tlsFolder: string };
};

/** The complete receivers: the files of each, what it needs, and what starts it in their folder. */
export const receivers = {
  typescript: { language: 'TypeScript', files: ['receiver.ts'], needs: 'Node 24 or later (`node --version`)', start: 'node receiver.ts' },
  python: {
    language: 'Python',
    files: ['receiver.py'],
    needs: 'Python 3.11 or later with `cryptography` (`pip install cryptography`)',
    start: 'python3 receiver.py',
  },
  go: { language: 'Go', files: ['receiver.go', 'go.mod'], needs: 'Go 1.23 or later', start: 'go run .' },
} as const;

export type ReceiverLanguage = keyof typeof receivers;

/** The URL at which a receiver on the developer's own machine is registered. */
export function localReceiverUrl({ host }: Development['receiver']): string {
  return `https://${host}/svc`;
}

/** Fetches a receiver and starts it where a development server delivers to, as the guide on webhooks says. */
export function localReceiverCommand({ portalUrl, machineApiUrl, receiver }: Development, language: ReceiverLanguage): string {
  const { port, tlsFolder } = receiver;
  const { files, start } = receivers[language];
  return [
    ...files.map((file) => `curl -sSO ${portalUrl}${paths.receiver(file)}`),
    `WEBHOOK_URL=${localReceiverUrl(receiver)} \\`,
    `JWKS_URL=${portalUrl}${paths.webhookKeys} \\`,
    `EVENT_SOURCE=${new URL(machineApiUrl).origin} \\`,
    'ENVIRONMENT=sandbox DATABASE=events.db \\',
    `ANSWER_CHALLENGES=true PORT=${port} \\`,
    `TLS_CERT_FILE=${tlsFolder}/receiver.pem \\`,
    `TLS_KEY_FILE=${tlsFolder}/receiver.key \\`,
    start,
  ].join('\n');
}
