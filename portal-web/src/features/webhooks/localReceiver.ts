import { paths } from '../../paths.ts';

type Development = {
  readonly portalUrl: string;
  readonly machineApiUrl: string;
  readonly receiver: { readonly host: string; readonly port: number; readonly tlsFolder: string };
};

/** The URL at which a receiver on the developer's own machine is registered. */
export function localReceiverUrl({ host }: Development['receiver']): string {
  return `https://${host}/svc`;
}

/** Fetches the receiver in TypeScript and starts it where a development server delivers to, as the guide on webhooks says. */
export function localReceiverCommand({ portalUrl, machineApiUrl, receiver }: Development): string {
  const { port, tlsFolder } = receiver;
  return [
    `curl -sSO ${portalUrl}${paths.receiver('receiver.ts')}`,
    `WEBHOOK_URL=${localReceiverUrl(receiver)} JWKS_URL=${portalUrl}${paths.webhookKeys} \\`,
    `EVENT_SOURCE=${new URL(machineApiUrl).origin} ENVIRONMENT=sandbox DATABASE=events.db ANSWER_CHALLENGES=true PORT=${port} \\`,
    `TLS_CERT_FILE=${tlsFolder}/receiver.pem TLS_KEY_FILE=${tlsFolder}/receiver.key node receiver.ts`,
  ].join('\n');
}
