import { Stack } from '@mantine/core';
import { useState } from 'react';
import { useQuery } from 'urql';
import { AuthorityTable } from '../../features/administration/certificates/AuthorityTable.tsx';
import { CertificateFilterBar, readFilters } from '../../features/administration/certificates/CertificateFilterBar.tsx';
import {
  allCertificatesPart,
  allCertificatesQuery,
  certificateAuthoritiesPart,
  certificateAuthoritiesQuery,
} from '../../features/administration/certificates/certificateQueries.ts';
import { CertificateTable, type RevocationAsked } from '../../features/administration/certificates/CertificateTable.tsx';
import { RevocationDialog } from '../../features/administration/certificates/RevocationDialog.tsx';
import { PageHeader } from '../../ui/layout/PageHeader.tsx';
import { Panel } from '../../ui/layout/Panel.tsx';
import { LoadedList } from '../../ui/lists/LoadedList.tsx';
import { PagedList } from '../../ui/lists/PagedList.tsx';
import { usePlace } from '../../ui/lists/usePlace.ts';
import { useSearch } from '../../ui/lists/useSearch.ts';
import { useUrlFilters } from '../../ui/lists/useUrlFilters.ts';
import { EmptyState } from '../../ui/states/EmptyState.tsx';
import { Loaded } from '../../ui/states/Loaded.tsx';
import { graphql } from '../../graphql/graphql.ts';
import { pageLoader } from '../../graphql/pageLoader.ts';
import { share } from '../../graphql/questions.ts';

const pageQuery = graphql(
  `
    query AdminCertificatesPage($filter: CertificateFilterInput!, $after: String) {
      ...AllCertificatesPart
      ...CertificateAuthoritiesPart
    }
  `,
  [allCertificatesPart, certificateAuthoritiesPart],
);

export const loader = pageLoader(({ ask, plain }) => {
  if (!plain) return;
  const newest = { filter: { search: null, ...readFilters({ show: '', source: '', authority: '' }) }, after: null };
  ask(
    pageQuery,
    newest,
    share(allCertificatesQuery, newest, ({ allCertificates }) => ({ allCertificates })),
    share(certificateAuthoritiesQuery, {}, ({ certificateAuthorities }) => ({ certificateAuthorities })),
  );
});

/** Everybody's certificates, and the authorities that they come from. */
export function Component() {
  const [filters, change] = useUrlFilters(['show', 'source', 'authority']);
  const [search, setSearch] = useSearch();
  const place = usePlace();
  const filter = { search: search || null, ...readFilters(filters) };
  const [result, read] = useQuery({
    query: allCertificatesQuery,
    variables: { filter, after: place.after },
    requestPolicy: 'cache-and-network',
  });
  const [authorities, readAuthorities] = useQuery({ query: certificateAuthoritiesQuery, requestPolicy: 'cache-and-network' });
  const [asked, setAsked] = useState<RevocationAsked | null>(null);
  const [note, setNote] = useState<string | null>(null);
  const reread = () => read({ requestPolicy: 'network-only' });

  return (
    <Stack gap="md">
      <PageHeader
        title="Certificates of all operators"
        documentTitle="All certificates"
        lead="The newest request comes first. Certificates in use, and those that have expired, are in the order of their ends, the nearest to now first."
      />
      <CertificateFilterBar
        {...{ search, filters, change }}
        onSearch={setSearch}
        authorities={(authorities.data?.certificateAuthorities ?? []).filter(({ kind }) => kind === 'issuing').map(({ id }) => id)}
      />
      <LoadedList place={place} result={result} onRetry={reread}>
        {({ allCertificates }) => (
          // The authorities wait for the list, which would push them down.
          <Stack gap="md">
            <PagedList
              label="Certificates"
              place={place}
              page={allCertificates}
              note={note}
              none={
                <EmptyState kind="nothingFits" title="No certificates match.">
                  Search for something else, or choose other filters.
                </EmptyState>
              }
            >
              {(certificates) => <CertificateTable certificates={certificates} onRevoke={setAsked} />}
            </PagedList>
            <Panel
              title="Authorities"
              lead="Client certificates come from the issuing authorities. The machine API trusts all that are still valid."
            >
              <Loaded result={authorities} onRetry={() => readAuthorities({ requestPolicy: 'network-only' })}>
                {({ certificateAuthorities }) =>
                  certificateAuthorities.length > 0 ? (
                    <AuthorityTable authorities={certificateAuthorities} />
                  ) : (
                    <EmptyState kind="nothingYet" title="None yet.">
                      The first worker that starts makes a root and an issuing authority.
                    </EmptyState>
                  )
                }
              </Loaded>
            </Panel>
          </Stack>
        )}
      </LoadedList>
      {asked && (
        <RevocationDialog
          asked={asked}
          onClose={() => setAsked(null)}
          onRevoked={(words) => {
            setNote(words);
            reread();
          }}
        />
      )}
    </Stack>
  );
}
