import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';

/** Relative paths begin in this folder. */
export const pathOf = (file: string): string => resolve(import.meta.dirname, file);
const read = (file: string): unknown => JSON.parse(readFileSync(pathOf(file), 'utf8'));

/** What `svc init` has written: whose client this is, and where its certificate lies. */
export const service = read('svc.json') as {
  readonly baseUrl: string;
  readonly portalUrl: string;
  readonly environment: 'sandbox' | 'production';
  readonly cert?: string;
  readonly key?: string;
  readonly ca?: string;
};

/** Yours to fill in, as in the profile of your integration. */
export const operator = read('operator.json') as {
  readonly name: string;
  readonly purpose: string;
  readonly operator: string;
  readonly privacyPolicyUrl: string;
  readonly termsOfServiceUrl: string;
  readonly supportEmail: string;
  /** An entry that is not from the service: it stands in the same list, without a credit. */
  readonly news: string;
  /** Exactly as registered. */
  readonly webhookUrl: string;
  /** Only while you prove the endpoint. */
  readonly answerChallenges: boolean;
  readonly host: string;
  readonly port: number;
  /** Without it, a proxy before this server speaks HTTPS, and adds each caller to X-Forwarded-For. */
  readonly tls?: { readonly cert: string; readonly key: string };
};
