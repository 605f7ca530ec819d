import { NativeSelect, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { useMutation, useQuery } from 'urql';
import { authorityFacts } from '../../../../../server/domain/certificate/authorityFacts.ts';
import { mailedReasonField } from '../../../features/administration/reasonField.ts';
import { RenewalsNotice } from '../../../features/certificates/RenewalsNotice.tsx';
import { revocationReasonWords } from '../../../features/certificates/revocationReasonWords.ts';
import { useFreshPasskey } from '../../../features/passkey/useFreshPasskey.ts';
import { graphql } from '../../../graphql/graphql.ts';
import { pageLoader } from '../../../graphql/pageLoader.ts';
import { share } from '../../../graphql/questions.ts';
import { ConsequenceDialog } from '../../../ui/forms/ConsequenceDialog.tsx';
import { PageHeader } from '../../../ui/layout/PageHeader.tsx';
import { Panel } from '../../../ui/layout/Panel.tsx';
import { type Column, DataTable } from '../../../ui/lists/DataTable.tsx';
import { FilterChips } from '../../../ui/lists/FilterChips.tsx';
import { LoadedList } from '../../../ui/lists/LoadedList.tsx';
import { PagedList } from '../../../ui/lists/PagedList.tsx';
import { SearchField } from '../../../ui/lists/SearchField.tsx';
import { usePagination } from '../../../ui/lists/usePagination.ts';
import { useSearch } from '../../../ui/lists/useSearch.ts';
import { useUrlFilters } from '../../../ui/lists/useUrlFilters.ts';
import { EmptyState } from '../../../ui/states/EmptyState.tsx';
import { Loaded } from '../../../ui/states/Loaded.tsx';
import { Time } from '../../../ui/time/Time.tsx';
import { useNow } from '../../../ui/time/useNow.ts';
import { EnvironmentTag } from '../../../ui/values/EnvironmentTag.tsx';
import { StatusBadge } from '../../../ui/values/StatusBadge.tsx';
import {
  allCertificatesPart,
  allCertificatesQuery,
  certificateAuthoritiesPart,
  certificateAuthoritiesQuery,
  type CertificateAuthority,
  certificateRenewalsQuery,
  certificateSourceWords,
  type ListedCertificate,
  revokeAnyCertificateMutation,
  revokeClientCertificatesMutation,
} from './certificateQueries.ts';
import { CertificateTable, type RevocationAsked } from './CertificateTable.tsx';

const pageQuery = graphql(
  `
    query AdminCertificatesPage($filter: CertificateFilterInput!, $after: String) {
      ...AllCertificatesPart
      ...CertificateAuthoritiesPart
    }
  `,
  [allCertificatesPart, certificateAuthoritiesPart],
);

type Status = ListedCertificate['certificate']['status'];
const sources = ['csr', 'p12', 'est'] as const satisfies readonly ListedCertificate['certificate']['source'][];
type Filters = { readonly show: string; readonly source: string; readonly authority: string };

const newest = 'Newest request first.';
const soonest = 'Soonest to end first.';

/** What the list can be narrowed to: a status, or certificates that stop working soon. With the order that each of them is in. */
const shows = {
  pending: { word: 'Pending', status: 'pending', expiresWithinDays: null, order: newest },
  usable: { word: 'In use', status: 'issued', expiresWithinDays: null, order: soonest },
  '7': { word: 'Ending within 7 days', status: null, expiresWithinDays: 7, order: soonest },
  '14': { word: 'Ending within 14 days', status: null, expiresWithinDays: 14, order: soonest },
  '30': { word: 'Ending within 30 days', status: null, expiresWithinDays: 30, order: soonest },
  expired: { word: 'Expired', status: 'expired', expiresWithinDays: null, order: 'Most recently ended first.' },
  revoked: { word: 'Revoked', status: 'revoked', expiresWithinDays: null, order: newest },
  failed: { word: 'Failed', status: 'failed', expiresWithinDays: null, order: newest },
} as const satisfies Record<string, { word: string; status: Status | null; expiresWithinDays: number | null; order: string }>;

const everything = { status: null, expiresWithinDays: null, order: newest };
const shownBy = (show: string) => (Object.hasOwn(shows, show) ? shows[show as keyof typeof shows] : everything);

/** The filter of the query for what stands in the page's address. */
function readFilters({ show, source, authority }: Filters) {
  const shown = shownBy(show);
  return {
    status: shown.status,
    expiresWithinDays: shown.expiresWithinDays,
    source: sources.find((each) => each === source) ?? null,
    authorityId: authority || null,
  };
}

type CertificateFilterBarProps = {
  search: string;
  onSearch: (search: string) => void;
  filters: Filters;
  change: (changes: Partial<Filters>) => void;
  /** The identifiers of the issuing authorities. */
  authorities: readonly string[];
};

/** The search and the filters above the list of all certificates. */
function CertificateFilterBar({ search, onSearch, filters, change, authorities }: CertificateFilterBarProps) {
  const any = { value: '', label: 'any' };
  const named = [...new Set([...authorities, ...(filters.authority ? [filters.authority] : [])])];
  const show = Object.hasOwn(shows, filters.show) ? filters.show : '';
  return (
    <Stack gap="sm">
      <SearchField
        label="Search"
        description="A serial number, fingerprint or common name, part of an integration’s name or slug, the owner’s address, or a complete identifier: crt_, cli_, int_, opr_"
        value={search}
        onChange={onSearch}
      />
      <FilterChips
        label="Filter the certificates"
        choices={[
          {
            label: 'Show',
            value: show,
            options: [{ value: '', label: 'all' }, ...showKeys.map((value) => ({ value, label: shows[value].word.toLowerCase() }))],
            onChange: (value) => change({ show: value }),
          },
          {
            label: 'Source',
            value: filters.source,
            options: [any, ...sources.map((value) => ({ value, label: certificateSourceWords[value] }))],
            onChange: (value) => change({ source: value }),
          },
          {
            label: 'Authority',
            value: filters.authority,
            options: [any, ...named.map((value) => ({ value, label: value }))],
            onChange: (value) => change({ authority: value }),
          },
        ]}
        onClear={show || filters.source || filters.authority ? () => change({ show: '', source: '', authority: '' }) : null}
      />
    </Stack>
  );
}

/** In the order of a certificate's life. As keys of an object, the numbers would come first. */
const showKeys = ['pending', 'usable', '7', '14', '30', 'expired', 'revoked', 'failed'] as const satisfies readonly (keyof typeof shows)[];

export const loader = pageLoader(({ ask, plain }) => {
  if (!plain) return;
  const unfiltered = { filter: { search: null, ...readFilters({ show: '', source: '', authority: '' }) }, after: null };
  ask(
    pageQuery,
    unfiltered,
    share(allCertificatesQuery, unfiltered, ({ allCertificates }) => ({ allCertificates })),
    share(certificateAuthoritiesQuery, {}, ({ certificateAuthorities }) => ({ certificateAuthorities })),
  );
});

/** Everybody's certificates, and the authorities that they come from. */
export function Component() {
  const [filters, change] = useUrlFilters(['show', 'source', 'authority']);
  const [search, setSearch] = useSearch();
  const pagination = usePagination();
  const filter = { search: search || null, ...readFilters(filters) };
  const [result, read] = useQuery({
    query: allCertificatesQuery,
    variables: { filter, after: pagination.after },
    requestPolicy: 'cache-and-network',
  });
  const [authorities, readAuthorities] = useQuery({ query: certificateAuthoritiesQuery, requestPolicy: 'cache-and-network' });
  const [asked, setAsked] = useState<RevocationAsked | null>(null);
  const [note, setNote] = useState<string | null>(null);
  const reread = () => read({ requestPolicy: 'network-only' });

  return (
    <Stack gap="md">
      <PageHeader title="Certificates of all operators" documentTitle="All certificates" lead={shownBy(filters.show).order} />
      <CertificateFilterBar
        {...{ search, filters, change }}
        onSearch={setSearch}
        authorities={(authorities.data?.certificateAuthorities ?? []).filter(({ kind }) => kind === 'issuing').map(({ id }) => id)}
      />
      <LoadedList pagination={pagination} result={result} onRetry={reread}>
        {({ allCertificates }) => (
          // The authorities wait for the list, which would push them down.
          <Stack gap="md">
            <PagedList
              label="Certificates"
              pagination={pagination}
              page={allCertificates}
              note={note}
              none={
                search || Object.values(filters).some(Boolean) ? (
                  <EmptyState kind="nothingFits" title="No certificates match.">
                    Search for something else, or choose other filters.
                  </EmptyState>
                ) : (
                  <EmptyState kind="nothingYet" title="No certificate has been requested yet." />
                )
              }
            >
              {(certificates) => <CertificateTable certificates={certificates} onRevoke={setAsked} />}
            </PagedList>
            <Panel
              title="Authorities"
              lead="Client certificates come from the issuing authorities. The machine API trusts all that are still valid."
            >
              <Loaded shape="table" result={authorities} onRetry={() => readAuthorities({ requestPolicy: 'network-only' })}>
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

/** The service's authorities: which of them issues, until when each is valid, and its revocation list. */
function AuthorityTable({ authorities }: { authorities: readonly CertificateAuthority[] }) {
  return <DataTable caption="Authorities" columns={columns} rows={authorities} rowKey={({ id }) => id} />;
}

const columns: readonly Column<CertificateAuthority>[] = [
  { header: 'Authority', breaks: true, cell: ({ id }) => <code>{id}</code> },
  { header: 'State', cell: ({ status }) => <StatusBadge tone={authorityFacts[status].tone}>{authorityFacts[status].word}</StatusBadge> },
  { header: 'Private key', cell: ({ hasKey }) => (hasKey ? 'With the service' : 'Not with the service') },
  { header: 'Valid until', cell: ({ notAfter }) => <Time value={notAfter} /> },
  { header: 'Revocation list', cell: (authority) => <RevocationList {...authority} /> },
];

function RevocationList({ crl, notAfter }: Pick<CertificateAuthority, 'crl' | 'notAfter'>) {
  const now = useNow();
  // As the administrators’ home counts them: an authority that has ended needs none.
  if (!crl) return new Date(notAfter) > now ? <StatusBadge tone="bad">Missing</StatusBadge> : 'None';
  return (
    <>
      No. {crl.number}, {crl.revoked} revoked
      <Text size="xs" c="dimmed">
        made <Time value={crl.thisUpdate} />, {new Date(crl.nextUpdate) > now ? 'valid until' : 'out of date since'}{' '}
        <Time value={crl.nextUpdate} />
      </Text>
    </>
  );
}

type Reason = keyof typeof revocationReasonWords;
type RevocationDialogProps = {
  asked: RevocationAsked;
  onClose: () => void;
  /** Called with what has been done, in words. */
  onRevoked: (words: string) => void;
};

/** Asks an administrator for the reasons why a certificate, or all of a client, is revoked, and says what that does. */
function RevocationDialog({ asked: { listed, all }, onClose, onRevoked }: RevocationDialogProps) {
  const [, revokeOne] = useMutation(revokeAnyCertificateMutation);
  const [, revokeAll] = useMutation(revokeClientCertificatesMutation);
  const confirmed = useFreshPasskey();
  const [revocationReason, setRevocationReason] = useState<Reason | ''>('');
  const { certificate, clientId, environment, integration } = listed;
  const [found] = useQuery({
    query: certificateRenewalsQuery,
    variables: { filter: { search: certificate.id } },
    requestPolicy: 'network-only',
    pause: all,
  });
  const renewals = found.data?.allCertificates.edges.flatMap(({ node }) => node.certificate.renewals) ?? [];
  const name = integration.profile.publicName;

  async function revoke(reason: string): Promise<string | null> {
    if (revocationReason === '') return null;
    if (all) {
      const { data, error } = await confirmed(() => revokeAll({ input: { clientId, revocationReason, reason } }));
      if (error) return error.message;
      const revoked = data?.revokeClientCertificates.revoked ?? 0;
      onRevoked(revoked === 1 ? `One certificate of ${name} was revoked.` : `${revoked} certificates of ${name} were revoked.`);
      return null;
    }
    const { error } = await confirmed(() => revokeOne({ input: { certificateId: certificate.id, revocationReason, reason } }));
    if (error) return error.message;
    onRevoked(`The certificate of ${name} was revoked.`);
    return null;
  }

  return (
    <ConsequenceDialog
      title={all ? `Revoke all certificates of this client of ${name}?` : `Revoke a certificate of ${name}?`}
      object={
        <>
          <EnvironmentTag environment={environment} /> <code>{all ? clientId : certificate.id}</code>
          {!all && certificate.serial && (
            <>
              , serial <code>{certificate.serial}</code>
            </>
          )}
        </>
      }
      changes={[
        all
          ? 'Every call of this client is refused from the next request, including on open connections, until its owner has a new certificate.'
          : 'Calls with this certificate are refused from the next request, including on open connections.',
        ...(all ? [] : ['If it was replacing an older certificate that still works, that one gets its original end back.']),
        'The owner is emailed with the reason.',
        'This cannot be undone.',
      ]}
      unchanged={[
        ...(all || !found.data || renewals.length > 0 ? [] : ['Other certificates keep working.']),
        'Connections and synced data stay as they are.',
      ]}
      reason={{ ...mailedReasonField, label: 'Reason, in words' }}
      verb={all ? 'Revoke all' : 'Revoke certificate'}
      tone="danger"
      waiting={found.fetching || revocationReason === ''}
      onConfirm={revoke}
      onClose={onClose}
    >
      <NativeSelect
        label="Reason in revocation lists"
        value={revocationReason}
        onChange={(event) => setRevocationReason(event.currentTarget.value as Reason)}
        // Lists are public, and the owner is told: which of these it was is for the administrator to say.
        data={[
          { value: '', label: 'Choose a reason', disabled: true },
          ...Object.entries(revocationReasonWords).map(([value, label]) => ({ value, label })),
        ]}
        required
      />
      {!all && renewals.length > 0 && (
        <RenewalsNotice names={renewals.map(({ keyName }) => keyName)} withThem={revocationReason === 'key_compromise'} />
      )}
    </ConsequenceDialog>
  );
}
