import type { Environment } from '../shared/environment.ts';

/** What can be found. */
export const foundKinds = [
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
export type FoundKind = (typeof foundKinds)[number];

/** As whom somebody sees what they have found, and so whose page it leads to: their own comes first. */
export const foundViews = ['owner', 'reviewer', 'administrator'] as const;
export type FoundView = (typeof foundViews)[number];

/** Something that a text names, for somebody who may see it. */
export type Found = {
  readonly kind: FoundKind;
  readonly id: string;
  readonly view: FoundView;
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
