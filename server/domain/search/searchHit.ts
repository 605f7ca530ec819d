import type { Environment } from '../shared/environment.ts';

/** What can be found. */
export const searchHitKinds = [
  'integration',
  'client',
  'certificate',
  'connection',
  'order',
  'vehicle',
  'revocation',
  'request',
  'event',
  'delivery',
  'endpoint',
  'submission',
  'link_code',
  'report',
  'agreement',
  'operator',
  'service_token',
] as const;
export type SearchHitKind = (typeof searchHitKinds)[number];

/** As whom somebody sees what they have found, and so whose page it leads to: their own comes first. */
export const searchHitViews = ['owner', 'reviewer', 'administrator'] as const;
type SearchHitView = (typeof searchHitViews)[number];

/** Something that a text names, for someone who may see it. */
export type SearchHit = {
  readonly kind: SearchHitKind;
  readonly id: string;
  readonly view: SearchHitView;
  /** What it is called, where it has a name: a public name, a common name, a key's name, a URL, an operation, an address. */
  readonly name: string | null;
  readonly environment: Environment | null;
  /** In the words of its kind: a status, or the status of a request's response. */
  readonly state: string | null;
  readonly integration: { readonly slug: string; readonly publicName: string } | null;
  /** The endpoint of a delivery. */
  readonly endpointId: string | null;
  /** The newest submission of an integration that a reviewer has found. */
  readonly submissionId: string | null;
};
