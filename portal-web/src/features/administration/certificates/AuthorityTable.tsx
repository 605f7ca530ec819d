import { Text } from '@mantine/core';
import { DataTable, type Column } from '../../../ui/lists/DataTable.tsx';
import { Time } from '../../../ui/time/Time.tsx';
import { useNow } from '../../../ui/time/useNow.ts';
import { StatusBadge } from '../../../ui/values/StatusBadge.tsx';
import type { CertificateAuthority } from './certificateQueries.ts';

/** The service's authorities: which of them issues, until when each is valid, and its revocation list. */
export function AuthorityTable({ authorities }: { authorities: readonly CertificateAuthority[] }) {
  return <DataTable caption="Authorities" columns={columns} rows={authorities} rowKey={({ id }) => id} />;
}

const columns: readonly Column<CertificateAuthority>[] = [
  { header: 'Authority', breaks: true, cell: ({ id }) => <code>{id}</code> },
  { header: 'State', cell: (authority) => <State {...authority} /> },
  { header: 'Private key', cell: ({ hasKey }) => (hasKey ? 'With the service' : 'Kept offline') },
  { header: 'Valid until', cell: ({ notAfter }) => <Time value={notAfter} /> },
  { header: 'Revocation list', cell: ({ crl }) => <RevocationList crl={crl} /> },
];

function State({ kind, issues, notAfter, revokedAt }: CertificateAuthority) {
  if (new Date(notAfter) <= useNow()) return <StatusBadge tone="stopped">Expired</StatusBadge>;
  if (revokedAt !== null) return <StatusBadge tone="stopped">Revoked</StatusBadge>;
  if (kind === 'root') return <StatusBadge tone="neutral">Root</StatusBadge>;
  return issues ? <StatusBadge tone="good">Issues certificates</StatusBadge> : <StatusBadge tone="neutral">Replaced</StatusBadge>;
}

function RevocationList({ crl }: Pick<CertificateAuthority, 'crl'>) {
  const now = useNow();
  if (!crl) return 'None yet';
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
