import { KitError } from '../client/errors.ts';
import { remoteKeys } from '../webhook/remoteKeys.ts';
import { isSignable, WebhookReceiver, type Headers } from '../webhook/WebhookReceiver.ts';
import type { Context } from './context.ts';
import { caOf } from './settings.ts';

/** A delivery as JSON: what arrived, and for which registered URL. */
type Recorded = {
  readonly url: string;
  readonly method?: string;
  readonly headers: Headers;
  readonly body: string;
  readonly received_at?: string;
};

export const recordedForm =
  'JSON with the request as it arrived: {"method","url","headers","body"}; "url" is the registered one, and "body" a string';

/** Judges a recorded delivery with the portal’s keys. Ends with 8 if it would be refused. */
export async function checkWebhook(context: Context): Promise<number> {
  const settings = await context.settings();
  const recorded = recordedIn(await context.file(`It is ${recordedForm}.`));
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

function recordedIn(text: string): Recorded {
  const unusable = (what: string): never => {
    throw new KitError('usage', what, { nextStep: `The file is ${recordedForm}.` });
  };
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return unusable('The file is no JSON.');
  }
  const { url, method = 'POST', headers, body, received_at: receivedAt } = (value ?? {}) as Partial<Record<keyof Recorded, unknown>>;
  const isObject = typeof headers === 'object' && headers !== null && !Array.isArray(headers);
  if (typeof url !== 'string' || typeof method !== 'string' || !isObject || typeof body !== 'string') {
    return unusable('“url”, “headers” or “body” is missing, or is something else.');
  }
  if (!isSignable(url))
    return unusable('“url” begins neither with https:// nor with http:// and this machine, such as http://localhost:8080.');
  if (receivedAt !== undefined && (typeof receivedAt !== 'string' || Number.isNaN(Date.parse(receivedAt)))) {
    return unusable('“received_at” is no time.');
  }
  return value as Recorded;
}
