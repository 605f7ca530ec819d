import type { Endpoint, EventType } from './webhookQueries.ts';

/** What the owner decides about an endpoint, apart from its environment. */
export type EndpointValues = {
  url: string;
  payloadMode: Endpoint['payloadMode'];
  eventTypes: EventType[];
  description: string;
};

/**
 * The values of a form for an endpoint. A page that was opened before a release has no box for the types that it brought: they are handed back
 * as they came, so that saving does not take them away.
 */
export function valuesOf({ url, payloadMode, eventTypes, description }: Pick<Endpoint, keyof EndpointValues>): EndpointValues {
  return { url, payloadMode, eventTypes: eventTypes.filter((type) => type !== 'unknown'), description };
}
