import { Fold } from '../../ui/layout/Fold.tsx';
import { Facts } from '../../ui/values/Facts.tsx';
import { Identifier } from '../../ui/values/Identifier.tsx';
import { ScopeList } from '../scopes/ScopeList.tsx';
import type { Client, Integration } from '../integration/integrationQuery.ts';
import type { Service } from '../integration/useIntegration.ts';
import { quotaWords } from '../administration/integration/quotaWords.ts';

type IdentifiersProps = { integration: Integration; client: Client; limits: Service['limits'] };

/** The names by which the integration and its client are known, the client’s scopes and its quotas; folded. */
export function Identifiers({ integration: { id, slug }, client, limits }: IdentifiersProps) {
  const { environment, commonName, scopes, quotaOverrides } = client;
  const baseline = `${limits.requestsPerHour} requests per hour, ${limits.requestsPerMinute} per minute, ${limits.concurrentRequests} at a time; poll every ${limits.pollingMinutes} minutes`;
  return (
    <Fold summary={`Identifiers, scopes and quotas (${environment})`}>
      <Facts
        facts={[
          ['Client ID', <Identifier key="client" value={client.id} label="the client ID" />],
          ['Common name for the CSR', <Identifier key="cn" value={commonName} label="the common name" />],
          ['Integration ID', <Identifier key="id" value={id} label="the integration ID" />],
          ['Slug', <Identifier key="slug" value={slug} label="the slug" />],
          ['Scopes', <ScopeList key="scopes" scopes={scopes} />],
          ...quotaOverrides.map(({ quota, value }) => [quotaWords[quota], `${value.toLocaleString('en')} (override)`] as const),
          [quotaOverrides.length > 0 ? 'Baseline quota' : 'Quota', baseline],
        ]}
      />
    </Fold>
  );
}
