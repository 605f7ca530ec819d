import { Button, Stack, Text, Title } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import { useSearchParams } from 'react-router';
import { certificateFacts, timeToInstall } from '../../../../../server/domain/certificate/certificateFacts.ts';
import { type CertificatePermission, phaseFacts } from '../../../../../server/domain/integration/integrationFacts.ts';
import { p12Facts } from '../../../../../server/domain/certificate/p12/package/p12Facts.ts';
import { useWanted } from '../../../features/search/usePageActs.ts';
import { FirstCall } from '../../../features/first-call/FirstCall.tsx';
import { useEnvironment } from '../../../features/integration/environment.ts';
import { type Client, isOver } from '../../../features/integration/integrationQuery.ts';
import { useReadOnly } from '../../../features/integration/ownerView.ts';
import { clientsTabLoader } from '../../../features/integration/tabLoader.ts';
import { type Service, useIntegration } from '../../../features/integration/useIntegration.ts';
import { usePolledQuery } from '../../../graphql/usePolledQuery.ts';
import { Columns } from '../../../ui/layout/Columns.tsx';
import { Fold } from '../../../ui/layout/Fold.tsx';
import { Panel } from '../../../ui/layout/Panel.tsx';
import { LoadedList } from '../../../ui/lists/LoadedList.tsx';
import { PagedList } from '../../../ui/lists/PagedList.tsx';
import { usePagination } from '../../../ui/lists/usePagination.ts';
import { ErrorMessage } from '../../../ui/states/ErrorMessage.tsx';
import { Notice } from '../../../ui/states/Notice.tsx';
import { counted } from '../../../ui/text/counted.ts';
import type { MomentWords } from '../../../ui/time/momentWords.ts';
import { relativeWords } from '../../../ui/time/timeWords.ts';
import { useNow } from '../../../ui/time/useNow.ts';
import { useMomentWords } from '../../../ui/time/useZone.ts';
import certificateDaysClasses from './CertificateDays.module.css';
import { certificateAnswer, certificateWarning, daysInUse, endOf, expiringSoon, type Stretch } from './certificateDays.ts';
import { type Certificate, certificatesPage, clientCertificatesQuery, type RefusedCalls } from './certificateQueries.ts';
import { bundleOf, CertificateTable, useStopped } from './CertificateTable.tsx';
import classes from './ClientCertificates.module.css';
import { type Unsaved, useUnsaved } from './new/unsaved.ts';
import { useKeyTrace, writeKeyTrace } from './new/keyTrace.ts';
import { NewCertificate } from './new/NewCertificate.tsx';
import { type Progress, useProgress } from './new/useProgress.ts';
import { NextCertificatePanel } from './NextCertificatePanel.tsx';
import { P12Commands } from './P12Commands.tsx';
import { RevokeDialog } from './RevokeDialog.tsx';

export const loader = clientsTabLoader(clientCertificatesQuery, (slug, { id }) =>
  certificatesPage(slug, id, { after: null, chosen: null }),
);

/** The certificates of one client. The production client exists once the integration has been approved. */
export function Component() {
  const { clients } = useIntegration().integration;
  const [shown] = useEnvironment();
  const client = clients.find(({ environment }) => environment === shown);
  if (!client) return <ErrorMessage message="This integration has no client." />;
  return <ClientCertificates key={client.id} client={client} />;
}

/** Why none can be requested. */
const refusals: Readonly<Record<CertificatePermission, string | null>> = {
  yes: null,
  notBeforeApproval: 'the integration is not approved',
  notOnceRetired: 'the integration is retired',
};

const fresh = { requestPolicy: 'cache-and-network' } as const;

/** Which certificate a client uses, until when, and how to get the next one. Use the client's ID as the key. */
function ClientCertificates({ client }: { client: Client }) {
  const { integration, service, reread } = useIntegration();
  const pagination = usePagination();
  const chosen = useSearchParams()[0].get('certificate');
  const [revoking, setRevoking] = useState<Certificate | null>(null);
  const [held] = useUnsaved(client.id);
  const following = useProgress(client.id, held?.certificateId ?? null);
  const trace = useKeyTrace(client.id);
  const [wanted, setWanted] = useState(false);
  const now = useNow();
  const [result, read] = usePolledQuery({
    query: clientCertificatesQuery,
    variables: certificatesPage(integration.slug, client.id, { after: pagination.after, chosen }),
    whileTrue: ({ inUse }) => inUse.edges.some(({ node }) => certificateFacts[node.status].stage === 'pending'),
    context: fresh,
  });
  usePutAside(client, result.data && { inUse: result.data.inUse.edges.map(({ node }) => node), isLast: !result.stale });
  const onChange = () => {
    read({ requestPolicy: 'network-only' });
    reread();
  };
  const readOnly = useReadOnly();
  const stopped = useStopped();
  const retired = isOver(integration);
  const permission = phaseFacts[integration.phases[client.environment]].certificates;
  const noneBecause = refusals[permission];
  const mayRequest = permission === 'yes' && !readOnly;
  useWanted('certificate', mayRequest ? () => setWanted(true) : null);
  return (
    <LoadedList pagination={pagination} result={result} onRetry={() => read({ requestPolicy: 'network-only' })}>
      {({ inUse: { edges }, ended, chosen: found, integration: { clients } }) => {
        const inUse = edges.map(({ node }) => latest(node, held, following.progress));
        const open =
          wanted ||
          held !== null ||
          trace !== null ||
          inUse.length === 0 ||
          inUse.some(({ p12 }) => p12 && p12Facts[p12.status].stage === 'ready');
        const elsewhere = (found?.edges ?? []).map(({ node }) => node).filter(({ id }) => inUse.every((each) => each.id !== id));
        const warned = certificateWarning(inUse, now, permission) !== null;
        const works = inUse.some(({ status }) => certificateFacts[status].stage === 'working');
        return (
          <Columns
            side={
              mayRequest && !open && works ? <NextCertificatePanel {...{ warned, stopped }} renewalByEst={client.renewalByEst} /> : null
            }
          >
            <Stack gap="md">
              <div className={classes.head}>
                <div role="status">
                  <Title order={2}>
                    {noneBecause !== null && inUse.length === 0
                      ? `No certificate is in use, and none can be requested: ${noneBecause}`
                      : certificateAnswer(inUse, now, stopped)}
                  </Title>
                </div>
                {mayRequest && !open && (
                  <Button size="xs" onClick={() => setWanted(true)}>
                    New certificate
                  </Button>
                )}
              </div>
              {noneBecause !== null && inUse.length > 0 && <Text size="sm">No certificate can be requested: {noneBecause}.</Text>}
              {mayRequest && open && <NewCertificate {...{ client, service, following, onChange }} onNext={() => setWanted(true)} />}
              {mayRequest && !held && <AwaitedCall {...{ client, service, inUse, onChange }} />}
              <CertificateWarnings
                inUse={inUse}
                permission={permission}
                refused={clients.find(({ id }) => id === client.id)?.errorGroups ?? []}
              />
              <CertificateDays inUse={inUse} />
              {inUse.length > 0 && (
                <CertificateTable
                  caption="Certificates in use"
                  certificates={inUse}
                  chosen={chosen}
                  onRevoke={readOnly ? undefined : setRevoking}
                />
              )}
              {elsewhere.length > 0 && (
                <CertificateTable caption="The certificate that you searched for" certificates={elsewhere} chosen={chosen} />
              )}
              {(ended.edges.length > 0 || pagination.after !== null) && (
                <Fold summary="Ended certificates" open={retired || pagination.after !== null}>
                  <PagedList label="Ended certificates" pagination={pagination} page={ended} none={null}>
                    {(certificates) => <CertificateTable caption="Ended certificates" certificates={certificates} />}
                  </PagedList>
                </Fold>
              )}
            </Stack>
            {revoking && (
              <RevokeDialog
                certificate={revoking}
                environment={client.environment}
                replaced={newerThan(revoking, inUse).some(({ issuedAt }) => issuedAt !== null)}
                onClose={() => setRevoking(null)}
                onRevoked={onChange}
              />
            )}
          </Columns>
        );
      }}
    </LoadedList>
  );
}

type Known = { readonly inUse: readonly Pick<Certificate, 'id' | 'lastUsedAt'>[]; readonly isLast: boolean };

/**
 * Puts the card of a certificate aside whose owner has both files, as they have said or as a call with it shows, and then comes back: they come
 * for something else. Where that happens on this page, the card stays with what it has brought.
 */
function usePutAside({ id: clientId, certificatesInUse }: Client, known: Known | undefined): void {
  const [held, hold] = useUnsaved(clientId);
  const looked = useRef(false);
  useEffect(() => {
    if (looked.current) return;
    looked.current = known?.isLast ?? false;
    const isUsed = ({ id, lastUsedAt }: Known['inUse'][number]) => id === held?.certificateId && lastUsedAt !== null;
    const isHad = held?.way === 'browser' && held.keyPem === null;
    if (!isHad && !certificatesInUse.some(isUsed) && !known?.inUse.some(isUsed)) return;
    looked.current = true;
    hold(null);
    writeKeyTrace(clientId, null);
  });
}

/** Those that were requested after this one: the newest stands first. */
function newerThan({ id }: Certificate, inUse: readonly Certificate[]): readonly Certificate[] {
  return inUse.slice(
    0,
    inUse.findIndex((each) => each.id === id),
  );
}

/** A certificate with what the page knows better by now, so that its row never says anything else than the card that follows its request. */
function latest(certificate: Certificate, held: Unsaved | null, progress: Progress | null): Certificate {
  if (held?.certificateId !== certificate.id) return certificate;
  const known = progress?.id === certificate.id ? { ...certificate, ...progress } : certificate;
  const claimed = held.way === 'p12' && held.claimed !== null;
  return claimed && known.p12 ? { ...known, p12: { ...known.p12, status: 'claimed' } } : known;
}

type AwaitedCallProps = { client: Client; service: Service; inUse: readonly Certificate[]; onChange: () => void };

/**
 * The first call, from when there is a certificate that nobody has called with until the page is left. An owner who comes back on the
 * day on which the only certificate was issued finds what came of it.
 */
function AwaitedCall({ client, service, inUse, onChange }: AwaitedCallProps) {
  const now = useNow();
  const newest = inUse.find((each) => bundleOf(each) !== null);
  const awaited = newest !== undefined && inUse.every(({ lastUsedAt }) => lastUsedAt === null);
  const [began, setBegan] = useState(false);
  if (awaited && !began) setBegan(true);
  const again = !began && inUse.length === 1 && now.getTime() - Date.parse(newest?.issuedAt ?? '') < timeToInstall;
  if (!newest || !(began || again)) return null;
  const { keyName, p12 } = newest;
  return (
    <Panel
      title="Your first call"
      lead={
        p12 || again ? undefined : (
          <>
            Run this. It finds <code>{keyName}.key</code> and <code>{keyName}.pem</code> in the folder that you are in, or in Downloads:
          </>
        )
      }
    >
      <FirstCall {...{ client, service, keyName, again }} {...(began && { onAnswered: onChange })}>
        {p12 && <P12Commands {...{ keyName, service }} />}
      </FirstCall>
    </Panel>
  );
}

type WarningsProps = { inUse: readonly Certificate[]; permission: CertificatePermission; refused: readonly RefusedCalls[] };

/** What the owner has to do about the certificates, and the calls that are refused because of one that is not among those in use. */
function CertificateWarnings({ inUse, permission, refused }: WarningsProps) {
  const now = useNow();
  const warning = certificateWarning(inUse, now, permission);
  const unknown = refused.filter(({ problem, open }) => open && problem?.startsWith('client_certificate_'));
  return (
    <>
      {warning && <Notice {...warning} />}
      {unknown.map(({ id, problem, serial, count, lastAt }) => (
        <Notice
          key={id}
          title={`${counted(count, 'call')} refused with 401 ${problem}`}
          words={`The last one was ${relativeWords(new Date(lastAt), now)}${serial ? `, with serial ${serial}` : ''}. Install a certificate that is in use on every machine that calls the API.`}
        />
      ))}
    </>
  );
}

/** The days on which each certificate in use works, on one bar, where both do, and today. Shows nothing before the first one is issued. */
function CertificateDays({ inUse }: { inUse: readonly Certificate[] }) {
  const { day } = useMomentWords();
  const now = useNow();
  const stopped = useStopped();
  const issued = inUse.filter(({ status }) => certificateFacts[status].stage === 'working').toReversed();
  if (issued.length === 0) return null;
  const { ends, stretches, overlap, today } = daysInUse(issued, now);
  return (
    <figure className={certificateDaysClasses.figure} aria-label="The days on which your certificates work">
      <ul className={certificateDaysClasses.list}>
        {issued.map((certificate) => (
          <li key={certificate.id}>
            <span className={certificateDaysClasses.name}>{certificate.keyName}</span>
            <span className={certificateDaysClasses.bar} role="img" aria-label={lifeWords(certificate, day)}>
              <span
                className={certificateDaysClasses.life}
                data-ending={expiringSoon(certificate, now)?.tone}
                data-stopped={stopped || undefined}
                style={placed(stretches.get(certificate.id))}
              />
              <span className={certificateDaysClasses.past} style={placed({ from: 0, to: today })} />
              {overlap && <span className={certificateDaysClasses.overlap} style={placed(overlap)} />}
              <span className={certificateDaysClasses.today} style={{ insetInlineStart: `${today}%` }} />
            </span>
          </li>
        ))}
        {ends && (
          <li className={certificateDaysClasses.ends} aria-hidden>
            <span>{day(ends.first)}</span>
            <span>{day(ends.last)}</span>
          </li>
        )}
      </ul>
      <figcaption className={certificateDaysClasses.legend}>
        <span>The vertical line marks today, {day(now)}.</span>
        {overlap && <span>Both work during the striped part.</span>}
      </figcaption>
    </figure>
  );
}

function lifeWords({ keyName, issuedAt, usableUntil, notAfter }: Certificate, day: MomentWords['day']): string {
  return `${keyName} works from ${dayWords(issuedAt, day)} to ${dayWords(endOf({ usableUntil, notAfter }), day)}.`;
}

/** The day, where there is one. */
function dayWords(at: string | null, day: MomentWords['day']): string {
  return at === null ? '' : day(new Date(at));
}

function placed(stretch: Stretch = { from: 0, to: 0 }) {
  return { insetInlineStart: `${stretch.from}%`, width: `${stretch.to - stretch.from}%` };
}
