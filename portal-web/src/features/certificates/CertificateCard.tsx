import { Button, Group, Text } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { useState, type ReactNode } from 'react';
import { CopyableCode } from '../../ui/values/CopyableCode.tsx';
import { Facts } from '../../ui/values/Facts.tsx';
import { P12Help } from '../p12-package/P12Help.tsx';
import { p12StatusWords } from '../p12-package/p12Words.ts';
import { CountDown } from '../../ui/time/CountDown.tsx';
import { RelativeTime } from '../../ui/time/RelativeTime.tsx';
import { StatusBadge } from '../../ui/values/StatusBadge.tsx';
import { useNow } from '../../ui/time/useNow.ts';
import type { Client } from '../integration/integrationQuery.ts';
import { certificateStatusWords } from '../integration/statusWords.ts';
import classes from './CertificateCard.module.css';
import { expiring, isEnding, renewalWords } from './certificateEnd.ts';
import type { Certificate } from './certificatesQuery.ts';
import { RevokeDialog } from './RevokeDialog.tsx';
import { revocationReasonWords } from './revocationReasonWords.ts';

type CertificateCardProps = {
  certificate: Certificate;
  environment: Client['environment'];
  /** Called after the certificate has been revoked. Without it, the certificate is read-only, as it is for administrators. */
  onChange?: (() => void) | undefined;
};

/** One certificate: its state, its identifiers, and what its owner can do with it. */
export function CertificateCard({ certificate, environment, onChange }: CertificateCardProps) {
  const [revoking, setRevoking] = useState(false);
  const { id, status, bundlePath, keyType, keyName } = certificate;
  const now = useNow();
  const ending = isEnding(certificate, now);
  const usable = status === 'issued' && onChange !== undefined;
  // A package that was not handed over yet has the bundle in it.
  const hasBundle = bundlePath !== null && (certificate.p12 === null || certificate.p12.status === 'claimed');
  const { tone, word } = ending ? expiring : certificateStatusWords[status];
  return (
    <article className={classes.card} aria-label={`Certificate ${id}`}>
      <Group justify="space-between" gap="sm">
        <Group gap="sm" role="status">
          <Text fw={600}>{keyName}</Text>
          <StatusBadge tone={tone}>{word}</StatusBadge>
          <Text size="sm" c="dimmed">
            {keyType}, {sourceWords[certificate.source]}
          </Text>
        </Group>
        {usable && (
          <Group gap="xs">
            {hasBundle && (
              <Button
                component="a"
                href={bundlePath}
                download={`${keyName}.pem`}
                size="xs"
                leftSection={<IconDownload size={16} aria-hidden />}
              >
                Download PEM bundle
              </Button>
            )}
            <Button variant="default" size="xs" onClick={() => setRevoking(true)}>
              Revoke
            </Button>
          </Group>
        )}
      </Group>
      <Facts facts={factsOf(certificate, now)} />
      {ending && onChange && (
        <Text size="sm" mt="xs" maw={640}>
          {renewalWords(certificate)}
        </Text>
      )}
      {usable && hasBundle && (
        <Text size="sm" c="dimmed" mt="xs">
          {certificate.p12
            ? `The bundle holds the certificate and its chain, as ${keyName}.p12 does, and never a key.`
            : `Save the bundle as ${keyName}.pem beside the key that you made for it. It holds your certificate and its chain, never a key.`}
        </Text>
      )}
      {usable && certificate.p12?.status === 'claimed' && <P12Help keyName={keyName} />}
      {onChange && (
        <RevokeDialog
          certificate={certificate}
          environment={environment}
          opened={revoking}
          onClose={() => setRevoking(false)}
          onRevoked={onChange}
        />
      )}
    </article>
  );
}

const sourceWords = { csr: 'from a certificate request', p12: 'from a P12 package', est: 'renewed by the back end' } as const;

function factsOf(certificate: Certificate, now: Date): [string, ReactNode][] {
  const { status, serial, fingerprintSha256, requestedAt, revokedAt, revocationReason, failure, lastUsedAt, p12 } = certificate;
  const end = certificate.usableUntil ?? certificate.notAfter;
  const facts: [string, ReactNode][] = [['Certificate ID', <CopyableCode key="id" value={certificate.id} label="the certificate ID" />]];
  if (serial) facts.push(['Serial', <CopyableCode key="serial" value={serial} label="the serial" />]);
  if (fingerprintSha256) facts.push(['SHA-256 fingerprint', <CopyableCode key="fp" value={fingerprintSha256} label="the fingerprint" />]);
  if (status === 'pending') facts.push(['Issued', 'It is being signed; this page updates by itself']);
  if (p12) facts.push(['P12 package', <P12State key="p12" p12={p12} />]);
  if (failure) facts.push(['Why it failed', failure]);
  if (serial) facts.push(['Last call', lastUsedAt ? <RelativeTime key="used" value={lastUsedAt} /> : 'None yet']);
  if (end && status !== 'revoked') facts.push([status === 'expired' ? 'Expired' : 'Expires', <RelativeTime key="end" value={end} />]);
  if (revokedAt) {
    const why = revocationReason ? `, ${revocationReasonWords[revocationReason].toLowerCase()}` : '';
    facts.push([
      'Revoked',
      <span key="revoked">
        <RelativeTime value={revokedAt} />
        {why}
      </span>,
    ]);
  }
  // A list no longer names what has ended.
  const listed = certificate.crlPublishedAt !== null || (certificate.notAfter !== null && new Date(certificate.notAfter) > now);
  if (revokedAt && serial && listed) facts.push(['Revocation list', <ListedSince key="crl" certificate={certificate} />]);
  facts.push(['Requested', <RelativeTime key="requested" value={requestedAt} />]);
  return facts;
}

function ListedSince({ certificate: { crlPublishedAt } }: { certificate: Certificate }) {
  if (!crlPublishedAt) return 'Follows within a minute. We refuse the certificate already.';
  return (
    <>
      Listed since <RelativeTime value={crlPublishedAt} />
    </>
  );
}

function P12State({ p12: { status, claimUntil } }: { p12: NonNullable<Certificate['p12']> }) {
  return (
    <>
      {p12StatusWords[status]}
      {status === 'ready' && claimUntil && (
        <>
          , time left: <CountDown until={claimUntil} />
        </>
      )}
    </>
  );
}
