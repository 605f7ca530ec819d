import { useOutletContext } from 'react-router';
import type { ResultOf } from '../../graphql/graphql.ts';
import type { frameQuery } from '../../graphql/frameQuery.ts';
import type { Integration } from './integrationQuery.ts';

/** The service's public facts. */
export type Service = ResultOf<typeof frameQuery>['service'];

/** What the page of an integration passes to the tab inside it. */
export type IntegrationContext = { integration: Integration; service: Service; reread: () => void };

/** The integration that the page around this tab has read. */
export function useIntegration(): IntegrationContext {
  return useOutletContext<IntegrationContext>();
}
