import { readFile } from 'node:fs/promises';
import { remoteKeys } from '../webhook/remoteKeys.ts';
import { WebhookReceiver, type Headers } from '../webhook/WebhookReceiver.ts';
import type { Context } from './context.ts';
import { caOf, pathOf } from './settings.ts';

/** A delivery as JSON: what arrived, and for which registered URL. */
type Recorded = {
  readonly url: string;
  readonly method?: string;
  readonly headers: Headers;
  readonly body: string;
  readonly received_at?: string;
};

/** Judges a recorded delivery with the portal’s keys. Ends with 8 if it would be refused. */
export async function checkWebhook(context: Context): Promise<number> {
  const settings = await context.settings();
  const recorded = JSON.parse(await readFile(pathOf(context.folder, context.word(0, 'The file')), 'utf8')) as Recorded;
  const ca = await caOf(context.folder, settings);
  const receiver = new WebhookReceiver({
    url: recorded.url,
    freshnessSeconds: 300,
    once: () => true,
    keys: remoteKeys(new URL('/.well-known/svc-integration-webhook-jwks.json', settings.portalUrl).href, {
      ...(ca !== undefined && { ca }),
    }),
    expect: { environment: settings.environment, source: new URL(settings.baseUrl).origin },
  });
  const receivedAt = new Date(recorded.received_at ?? Date.now());
  const verdict = await receiver.judge(recorded.method ?? 'POST', recorded.headers, Buffer.from(recorded.body), { receivedAt });
  context.print(verdict, 'reason' in verdict ? `${verdict.status}: ${verdict.reason}` : `${verdict.status}: accepted`);
  return verdict.status < 300 ? 0 : 8;
}
