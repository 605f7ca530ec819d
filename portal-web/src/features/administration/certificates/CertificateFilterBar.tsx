import { Stack } from '@mantine/core';
import { FilterChips } from '../../../ui/lists/FilterChips.tsx';
import { SearchField } from '../../../ui/lists/SearchField.tsx';
import { certificateSourceWords } from '../../certificates/certificateSourceWords.ts';
import type { ListedCertificate } from './certificateQueries.ts';

type Status = ListedCertificate['certificate']['status'];
type Source = ListedCertificate['certificate']['source'];
type Filters = { readonly show: string; readonly source: string; readonly authority: string };

/** What the list can be narrowed to: a status, or certificates that stop working soon. */
const shows = {
  pending: { word: 'Pending', status: 'pending', expiresWithinDays: null },
  usable: { word: 'In use', status: 'issued', expiresWithinDays: null },
  '7': { word: 'Ending within 7 days', status: null, expiresWithinDays: 7 },
  '14': { word: 'Ending within 14 days', status: null, expiresWithinDays: 14 },
  '30': { word: 'Ending within 30 days', status: null, expiresWithinDays: 30 },
  expired: { word: 'Expired', status: 'expired', expiresWithinDays: null },
  revoked: { word: 'Revoked', status: 'revoked', expiresWithinDays: null },
  failed: { word: 'Failed', status: 'failed', expiresWithinDays: null },
} as const satisfies Record<string, { word: string; status: Status | null; expiresWithinDays: number | null }>;

/** The filter of the query for what stands in the page's address. */
export function readFilters({ show, source, authority }: Filters) {
  const shown = Object.hasOwn(shows, show) ? shows[show as keyof typeof shows] : { status: null, expiresWithinDays: null };
  return {
    status: shown.status,
    expiresWithinDays: shown.expiresWithinDays,
    source: Object.hasOwn(certificateSourceWords, source) ? (source as Source) : null,
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
export function CertificateFilterBar({ search, onSearch, filters, change, authorities }: CertificateFilterBarProps) {
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
            label: 'From',
            value: filters.source,
            options: [any, ...Object.entries(certificateSourceWords).map(([value, label]) => ({ value, label }))],
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
