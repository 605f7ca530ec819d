import { Button, Group, Stack, Text } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { certificateFacts } from '../../../../server/domain/certificate/certificateFacts.ts';
import { p12Facts } from '../../../../server/domain/certificate/p12/package/p12Facts.ts';
import { CountDown } from '../../ui/time/CountDown.tsx';
import { Time } from '../../ui/time/Time.tsx';
import { useNow } from '../../ui/time/useNow.ts';
import { CopyableCode } from '../../ui/values/CopyableCode.tsx';
import { Facts } from '../../ui/values/Facts.tsx';
import { P12Help } from '../p12-package/P12Help.tsx';
import type { Certificate } from './certificatesQuery.ts';
import { revocationReasonWords } from './revocationReasonWords.ts';

type CertificateDetailsProps = {
  certificate: Certificate;
  /** Whether the reader owns it, and so can download it. */
  own: boolean;
};

/** Everything that is known of a certificate besides what its row says, and its download. */
export function CertificateDetails({ certificate, own }: CertificateDetailsProps) {
  const { keyName, status, p12 } = certificate;
  const now = useNow();
  const bundle = own ? bundleOf(certificate) : null;
  return (
    <Stack gap="xs">
      <Facts facts={factsOf(certificate, now)} />
      {bundle && (
        <Group gap="sm">
          <Button component="a" href={bundle} download={`${keyName}.pem`} size="xs" leftSection={<IconDownload size={16} aria-hidden />}>
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

const sourceWords = { csr: 'from a certificate request', p12: 'from a P12 package', est: 'renewed by the back end' } as const;

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
  if (revokedAt) facts.push(['Why it was revoked', revocationReasonWords[revocationReason ?? 'unspecified']]);
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
      Listed since <Time value={crlPublishedAt} />
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
