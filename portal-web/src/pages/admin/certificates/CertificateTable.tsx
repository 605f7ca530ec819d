import { Anchor, Button, Group, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { certificateFacts } from '../../../../../server/domain/certificate/certificateFacts.ts';
import { revocationReasonWord } from '../../../features/certificates/revocationReasonWords.ts';
import { paths } from '../../../paths.ts';
import { type Column, DataTable } from '../../../ui/lists/DataTable.tsx';
import { Time } from '../../../ui/time/Time.tsx';
import { Address } from '../../../ui/values/Address.tsx';
import { EnvironmentTag } from '../../../ui/values/EnvironmentTag.tsx';
import { Facts } from '../../../ui/values/Facts.tsx';
import { Identifier } from '../../../ui/values/Identifier.tsx';
import { StatusBadge } from '../../../ui/values/StatusBadge.tsx';
import { certificateSourceWords, type ListedCertificate } from './certificateQueries.ts';

/** What an administrator wants to revoke: one certificate, or all of its client. */
export type RevocationAsked = { readonly listed: ListedCertificate; readonly all: boolean };

type CertificateTableProps = { certificates: readonly ListedCertificate[]; onRevoke: (asked: RevocationAsked) => void };

/** Certificates as administrators see them. A row opens to everything that is known of the certificate, and to what can be done. */
export function CertificateTable({ certificates, onRevoke }: CertificateTableProps) {
  return (
    <DataTable
      caption="Certificates"
      columns={columns}
      rows={certificates}
      rowKey={({ certificate }) => certificate.id}
      detail={{
        label: ({ certificate }) => `Details of ${certificate.id}`,
        content: (listed) => (
          <>
            <Facts facts={factsOf(listed)} />
            <Actions listed={listed} onRevoke={onRevoke} />
          </>
        ),
      }}
    />
  );
}

const columns: readonly Column<ListedCertificate>[] = [
  {
    header: 'Integration',
    cell: ({ integration }) => integration.profile.publicName,
    to: ({ integration }) => paths.adminIntegration(integration.slug),
  },
  { header: 'Environment', cell: ({ environment }) => <EnvironmentTag environment={environment} /> },
  {
    header: 'Owner',
    breaks: true,
    cell: ({ owner }) => (
      <Anchor component={Link} to={paths.adminOperator(owner.id)} inherit>
        {owner.email === null ? 'A deleted account' : <Address value={owner.email} />}
      </Anchor>
    ),
  },
  {
    header: 'Status',
    cell: ({ certificate: { status } }) => <StatusBadge tone={certificateFacts[status].tone}>{certificateFacts[status].word}</StatusBadge>,
  },
  { header: 'Usable until', cell: ({ certificate }) => <End {...certificate} /> },
  { header: 'Last call', wide: true, cell: ({ certificate: { lastUsedAt } }) => (lastUsedAt ? <Time value={lastUsedAt} /> : 'Never') },
  { header: 'Requested', wide: true, cell: ({ certificate }) => <Time value={certificate.requestedAt} /> },
];

function End({ status, usableUntil, revokedAt }: ListedCertificate['certificate']) {
  if (status === 'revoked' && revokedAt) {
    return (
      <>
        revoked <Time value={revokedAt} />
      </>
    );
  }
  return usableUntil ? <Time value={usableUntil} /> : '–';
}

function factsOf({ certificate, commonName, authorityId }: ListedCertificate): (readonly [string, ReactNode])[] {
  const { serial, fingerprintSha256, notAfter, revokedAt, revocationReason, failure } = certificate;
  return [
    ['Certificate ID', <Identifier key="id" value={certificate.id} label="the certificate ID" />],
    ['Common name', <Identifier key="name" value={commonName} label="the common name" />],
    ...(serial ? [['Serial', <Identifier key="serial" value={serial} label="the serial" />] as const] : []),
    ...(fingerprintSha256
      ? [['SHA-256 fingerprint', <Identifier key="fingerprint" value={fingerprintSha256} label="the fingerprint" />] as const]
      : []),
    ['Key', certificate.keyType],
    ['From', certificateSourceWords[certificate.source]],
    ...(authorityId ? [['Authority', <code key="authority">{authorityId}</code>] as const] : []),
    ...(notAfter ? [[revokedAt ? 'Would have ended' : 'Valid until', <Time key="end" value={notAfter} />] as const] : []),
    ...(revocationReason ? [['Why it was revoked', revocationReasonWord(revocationReason)] as const] : []),
    ...(certificate.crlPublishedAt
      ? [['In the revocation list since', <Time key="list" value={certificate.crlPublishedAt} />] as const]
      : []),
    ...(failure ? [['Why it failed', failure] as const] : []),
  ];
}

function Actions({ listed, onRevoke }: { listed: ListedCertificate; onRevoke: CertificateTableProps['onRevoke'] }) {
  const { certificate, own } = listed;
  if (own) {
    return (
      <Text size="sm" c="dimmed" mt="sm">
        This integration is yours, so another administrator decides about its certificates.
      </Text>
    );
  }
  const open = certificateFacts[certificate.status].stage !== 'over';
  return (
    <Group gap="sm" mt="sm">
      {open && (
        <Button variant="default" size="xs" onClick={() => onRevoke({ listed, all: false })}>
          Revoke this certificate
        </Button>
      )}
      <Button variant="default" size="xs" onClick={() => onRevoke({ listed, all: true })}>
        Revoke all of this client
      </Button>
    </Group>
  );
}
