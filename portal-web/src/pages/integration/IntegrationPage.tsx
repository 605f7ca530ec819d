import { useCallback, useEffect, useRef } from 'react';
import { Outlet, useLocation, useParams } from 'react-router';
import { useQuery } from 'urql';
import { integrationQuery, isChanging, type Integration } from '../../features/integration/integrationQuery.ts';
import type { IntegrationContext } from '../../features/integration/useIntegration.ts';
import { integrationStatusWords } from '../../features/integration/statusWords.ts';
import { serviceQuery } from '../../graphql/serviceQuery.ts';
import { usePolledQuery } from '../../graphql/usePolledQuery.ts';
import { paths } from '../../paths.ts';
import { Loaded } from '../../ui/states/Loaded.tsx';
import { PageHeading } from '../../ui/layout/PageHeading.tsx';
import { StatusBadge } from '../../ui/values/StatusBadge.tsx';
import { TabNav } from '../../ui/layout/TabNav.tsx';

/** What the pages of one integration have in common: its name, status and tabs. */
export function Component() {
  const { slug = '' } = useParams();
  const [facts] = useQuery({ query: serviceQuery });
  const [result, read] = usePolledQuery({
    query: integrationQuery,
    variables: { slug },
    whileTrue: ({ integration }) => isChanging(integration),
    context: fresh,
  });
  // The function stays the same while the address does. The tabs call it in effects, and each call renders this page again.
  const reread = useCallback(() => read({ requestPolicy: 'network-only' }), [read]);
  useRereadOnNextTab(reread);
  const data =
    result.data?.integration.slug === slug && facts.data
      ? { integration: result.data.integration, service: facts.data.service }
      : undefined;
  return (
    <Loaded result={{ data, error: result.error ?? facts.error }} onRetry={reread}>
      {({ integration, service }) => (
        <>
          <Head integration={integration} />
          <Outlet context={{ integration, service, reread } satisfies IntegrationContext} />
        </>
      )}
    </Loaded>
  );
}

const fresh = { requestPolicy: 'cache-and-network' } as const;

/** Reviewers and administrators can also change an integration, so it is read again whenever the reader opens another tab. */
function useRereadOnNextTab(reread: () => void): void {
  const { pathname } = useLocation();
  const last = useRef(pathname);
  useEffect(() => {
    if (last.current === pathname) return;
    last.current = pathname;
    reread();
  }, [pathname, reread]);
}

/** The pages of one integration, in the order of their tabs. */
const tabs = [
  { word: 'Overview', path: paths.integration },
  { word: 'Sandbox', path: paths.sandbox },
  { word: 'Certificates', path: paths.certificates },
  { word: 'Requests', path: paths.requests },
  { word: 'Webhooks', path: paths.webhooks },
  { word: 'Deletions', path: paths.deletions },
  { word: 'Profile', path: paths.profile },
  { word: 'Kit', path: paths.kit },
  { word: 'Production', path: paths.production },
] as const;

function Head({ integration: { slug, status, profile } }: { integration: Integration }) {
  const badge = integrationStatusWords[status];
  const { pathname } = useLocation();
  // The address of the overview is the beginning of all others.
  const tab = tabs.findLast(({ path }) => `${pathname.replace(/\/$/, '')}/`.startsWith(`${path(slug)}/`))?.word ?? 'Overview';
  return (
    <>
      <PageHeading
        title={profile.publicName}
        documentTitle={tab === 'Overview' ? profile.publicName : `${tab} · ${profile.publicName}`}
        lead={profile.publicDescription}
        marks={<StatusBadge tone={badge.tone}>{badge.word}</StatusBadge>}
      />
      <TabNav label="Integration" tabs={tabs.map(({ word, path }) => ({ word, path: path(slug), end: path === paths.integration }))} />
    </>
  );
}
