import { Button, Group, Stack, Text } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { certificateFacts } from '../../../../../server/domain/certificate/certificateFacts.ts';
import { p12Facts } from '../../../../../server/domain/certificate/p12/package/p12Facts.ts';
import { revocationReasonWord } from '../../../features/certificates/revocationReasonWords.ts';
import { useEnvironment } from '../../../features/integration/environment.ts';
import { isStopped } from '../../../features/integration/integrationQuery.ts';
import { useIntegration } from '../../../features/integration/useIntegration.ts';
import { useFrame } from '../../../graphql/useFrame.ts';
import { Fold } from '../../../ui/layout/Fold.tsx';
import { type Column, DataTable } from '../../../ui/lists/DataTable.tsx';
import type { RowAction } from '../../../ui/lists/RowMenu.tsx';
import { CountDown } from '../../../ui/time/CountDown.tsx';
import { Time } from '../../../ui/time/Time.tsx';
import { useNow } from '../../../ui/time/useNow.ts';
import { CopyableCode } from '../../../ui/values/CopyableCode.tsx';
import { Facts } from '../../../ui/values/Facts.tsx';
import { Identifier } from '../../../ui/values/Identifier.tsx';
import { StatusBadge } from '../../../ui/values/StatusBadge.tsx';
import { endOf, expiringSoon } from './certificateDays.ts';
import type { Certificate } from './certificateQueries.ts';
import { P12Commands } from './P12Commands.tsx';
import classes from './ClientCertificates.module.css';

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
  { header: 'Certificate', cell: ({ keyName }) => <span className={classes.whole}>{keyName}</span> },
  { header: 'State', cell: (certificate) => <State certificate={certificate} /> },
  { header: end, cell: (certificate) => <End certificate={certificate} /> },
  {
    header: 'Last call',
    cell: ({ serial, lastUsedAt }) => (
      <span className={classes.whole}>{lastUsedAt ? <Time value={lastUsedAt} /> : serial && 'None yet'}</span>
    ),
  },
  { header: 'Serial', breaks: true, cell: ({ serial }) => serial && <Identifier value={serial} label="the serial" /> },
];

// Made once: a row whose columns stay the same is not rendered again.
const columns = columnsOf('Ends');
const endedColumns = columnsOf('Ended');

function State({ certificate }: { certificate: Certificate }) {
  const stopped = useStopped();
  const facts = certificateFacts[certificate.status];
  const { tone, word } = expiringSoon(certificate, useNow()) ?? facts;
  if (stopped && facts.stage === 'working') return <StatusBadge tone="neutral">{word}</StatusBadge>;
  return <StatusBadge tone={tone}>{word}</StatusBadge>;
}

function End({ certificate }: { certificate: Certificate }) {
  const { status, revokedAt } = certificate;
  const end = status === 'revoked' ? revokedAt : certificateFacts[status].isVoid ? null : endOf(certificate);
  if (!end) return null;
  return (
    <span className={classes.whole}>
      <Time value={end} form="date" />
    </span>
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

type CertificateDetailsProps = {
  certificate: Certificate;
  /** Whether the reader owns it, and so can download it. */
  own: boolean;
};

/** Everything that is known of a certificate besides what its row says, and its download. */
function CertificateDetails({ certificate, own }: CertificateDetailsProps) {
  const { keyName, status, p12 } = certificate;
  const now = useNow();
  const bundle = own ? bundleOf(certificate) : null;
  return (
    <Stack gap="xs">
      <Facts facts={factsOf(certificate, now)} />
      {bundle && (
        <Group gap="sm">
          <Button
            component="a"
            href={bundle}
            download={`${keyName}.pem`}
            size="xs"
            variant="default"
            leftSection={<IconDownload size={16} aria-hidden />}
          >
            Download PEM bundle
          </Button>
          <Text size="sm" c="dimmed" maw={640}>
            {p12
              ? `It holds the certificate and its chain, as ${keyName}.p12 does, and never a key.`
              : `Save it as ${keyName}.pem beside the key that you made for it. It holds your certificate and its chain, never a key.`}
          </Text>
        </Group>
      )}
      {own && certificateFacts[status].stage === 'working' && p12 && p12Facts[p12.status].stage === 'handedOver' && (
        <P12Help keyName={keyName} />
      )}
    </Stack>
  );
}

/** Where a working certificate is downloaded with its chain. A package that was not handed over yet has the bundle in it. */
export function bundleOf({ status, bundlePath, p12 }: Certificate): string | null {
  return certificateFacts[status].stage === 'working' && (p12 === null || p12Facts[p12.status].stage === 'handedOver') ? bundlePath : null;
}

const sourceWords = {
  csr: 'never on our servers',
  p12: 'from a P12 package',
  est: 'renewed by the back end',
  unknown: 'from an unknown source',
} as const;

function factsOf(certificate: Certificate, now: Date): [string, ReactNode][] {
  const { id, status, fingerprintSha256, keyType, source, requestedAt, revokedAt, revocationReason, failure, p12 } = certificate;
  const facts: [string, ReactNode][] = [
    ['Certificate ID', <CopyableCode key="id" value={id} label="the certificate ID" />],
    ['Key', `${keyType}, ${sourceWords[source]}`],
  ];
  if (fingerprintSha256) facts.push(['SHA-256 fingerprint', <CopyableCode key="fp" value={fingerprintSha256} label="the fingerprint" />]);
  if (certificateFacts[status].stage === 'pending') facts.push(['Issued', 'It is being signed; this page updates by itself']);
  if (p12) facts.push(['P12 package', <P12State key="p12" p12={p12} />]);
  if (failure) facts.push(['Why it failed', failure]);
  if (revokedAt) facts.push(['Why it was revoked', revocationReasonWord(revocationReason ?? 'unspecified')]);
  // A list no longer names what has ended.
  const listed = certificate.crlPublishedAt !== null || (certificate.notAfter !== null && new Date(certificate.notAfter) > now);
  if (revokedAt && certificate.serial && listed) facts.push(['Revocation list', <ListedSince key="crl" certificate={certificate} />]);
  facts.push(['Requested', <Time key="requested" value={requestedAt} />]);
  return facts;
}

function ListedSince({ certificate: { crlPublishedAt } }: { certificate: Certificate }) {
  if (!crlPublishedAt) return 'Follows within a minute. We refuse the certificate already.';
  return (
    <>
      Listed <Time value={crlPublishedAt} />
    </>
  );
}

function P12State({ p12: { status, claimUntil } }: { p12: NonNullable<Certificate['p12']> }) {
  return (
    <>
      {p12Facts[status].word}
      {p12Facts[status].stage === 'ready' && claimUntil && (
        <>
          , time left: <CountDown until={claimUntil} />
        </>
      )}
    </>
  );
}

/** The examples for a package that its owner has downloaded, folded until they are wanted. */
function P12Help({ keyName }: { keyName: string }) {
  const [{ data }] = useFrame();
  return (
    <Fold summary={`How to use ${keyName}.p12`} lazily>
      {data && <P12Commands keyName={keyName} service={data.service} />}
    </Fold>
  );
}

/** Whether the integration's status has every call in the environment shown refused. Then no certificate is in use, valid as it may be. */
export function useStopped(): boolean {
  const { phases } = useIntegration().integration;
  return isStopped(phases[useEnvironment()[0]]);
}
