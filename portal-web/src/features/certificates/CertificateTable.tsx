import { Text } from '@mantine/core';
import { certificateFacts } from '../../../../server/domain/certificate/certificateFacts.ts';
import { DataTable, type Column } from '../../ui/lists/DataTable.tsx';
import type { RowAction } from '../../ui/lists/RowMenu.tsx';
import { Time } from '../../ui/time/Time.tsx';
import { useNow } from '../../ui/time/useNow.ts';
import { CopyableCode } from '../../ui/values/CopyableCode.tsx';
import { StatusBadge } from '../../ui/values/StatusBadge.tsx';
import { bundleOf, CertificateDetails } from './CertificateDetails.tsx';
import { endOf, expiring, isEnding } from './certificateEnd.ts';
import type { Certificate } from './certificatesQuery.ts';
import { useStopped } from './useStopped.ts';

type CertificateTableProps = {
  /** What the table shows, as in "Certificates in use". */
  caption: string;
  certificates: readonly Certificate[];
  /** The certificate whose row is open at first, because an address names it. */
  chosen?: string | null;
  /** Called when its owner wants to revoke one. Without it, the table is only for reading. */
  onRevoke?: ((certificate: Certificate) => void) | undefined;
};

/** Certificates with their state, their end, their last call and their serial; each row opens to everything else. */
export function CertificateTable({ caption, certificates, chosen = null, onRevoke }: CertificateTableProps) {
  return (
    <DataTable
      caption={caption}
      columns={certificates.some(({ status }) => hasNotEnded(status)) ? columns : endedColumns}
      rows={certificates}
      rowKey={({ id }) => id}
      rowName={({ keyName }) => keyName}
      actions={(certificate) => actionsOf(certificate, onRevoke)}
      detail={{
        content: (certificate) => <CertificateDetails certificate={certificate} own={onRevoke !== undefined} />,
        label: ({ id }) => `Details of ${id}`,
        // The newest, if nobody has used it yet, is to be downloaded and installed.
        open: ({ id, status, lastUsedAt }) =>
          id === chosen || (onRevoke !== undefined && id === certificates[0]?.id && lastUsedAt === null && hasNotEnded(status)),
      }}
    />
  );
}

function hasNotEnded(status: Certificate['status']): boolean {
  return certificateFacts[status].stage !== 'over';
}

const columnsOf = (end: 'Ends' | 'Ended'): readonly Column<Certificate>[] => [
  { header: 'Certificate', cell: ({ keyName }) => keyName },
  { header: 'State', cell: (certificate) => <State certificate={certificate} /> },
  { header: end, cell: (certificate) => <End certificate={certificate} /> },
  { header: 'Last call', cell: ({ serial, lastUsedAt }) => (lastUsedAt ? <Time value={lastUsedAt} /> : serial && 'None yet') },
  { header: 'Serial', breaks: true, cell: ({ serial }) => serial && <CopyableCode value={serial} label="the serial" /> },
];

// Made once: a row whose columns stay the same is not rendered again.
const columns = columnsOf('Ends');
const endedColumns = columnsOf('Ended');

function State({ certificate }: { certificate: Certificate }) {
  const stopped = useStopped();
  const { tone, word } = isEnding(certificate, useNow()) ? expiring : certificateFacts[certificate.status];
  if (stopped && tone === 'good') return <StatusBadge tone="neutral">{word}</StatusBadge>;
  return <StatusBadge tone={tone}>{word}</StatusBadge>;
}

function End({ certificate }: { certificate: Certificate }) {
  const { status, revokedAt } = certificate;
  const end = status === 'revoked' ? revokedAt : certificateFacts[status].isVoid ? null : endOf(certificate);
  if (!end) return null;
  return (
    <Text span inherit>
      <Time value={end} />
    </Text>
  );
}

function actionsOf(certificate: Certificate, onRevoke: CertificateTableProps['onRevoke']): RowAction[] {
  const { id, keyName, serial, fingerprintSha256, status } = certificate;
  const bundle = onRevoke ? bundleOf(certificate) : null;
  return [
    { label: 'Copy ID', copy: id },
    ...(serial ? [{ label: 'Copy serial', copy: serial }] : []),
    ...(fingerprintSha256 ? [{ label: 'Copy fingerprint', copy: fingerprintSha256 }] : []),
    ...(bundle ? [{ label: 'Download PEM bundle', href: bundle, download: `${keyName}.pem` }] : []),
    ...(onRevoke && certificateFacts[status].stage === 'working'
      ? [{ label: 'Revoke', tone: 'danger' as const, onSelect: () => onRevoke(certificate) }]
      : []),
  ];
}
