import { NativeSelect } from '@mantine/core';
import { useState } from 'react';
import { useMutation, useQuery } from 'urql';
import { ConsequenceDialog } from '../../../ui/forms/ConsequenceDialog.tsx';
import { EnvironmentTag } from '../../../ui/values/EnvironmentTag.tsx';
import { RenewalsNotice } from '../../certificates/RenewalsNotice.tsx';
import { revocationReasonWords } from '../../certificates/revocationReasonWords.ts';
import { useFreshPasskey } from '../../passkey/useFreshPasskey.ts';
import { certificateRenewalsQuery, revokeAnyCertificateMutation, revokeClientCertificatesMutation } from './certificateQueries.ts';
import type { RevocationAsked } from './CertificateTable.tsx';
import { reasonField } from '../reasonField.ts';

type Reason = keyof typeof revocationReasonWords;
type RevocationDialogProps = {
  asked: RevocationAsked;
  onClose: () => void;
  /** Called with what has been done, in words. */
  onRevoked: (words: string) => void;
};

/** Asks an administrator for the reasons why a certificate, or all of a client, is revoked, and says what that does. */
export function RevocationDialog({ asked: { listed, all }, onClose, onRevoked }: RevocationDialogProps) {
  const [, revokeOne] = useMutation(revokeAnyCertificateMutation);
  const [, revokeAll] = useMutation(revokeClientCertificatesMutation);
  const confirmed = useFreshPasskey();
  const [revocationReason, setRevocationReason] = useState<Reason>('key_compromise');
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
        ...(all ? [] : ['A certificate that this one was to replace has its own end again, if it still works.']),
        'The owner is emailed with the reason.',
        'This cannot be undone.',
      ]}
      unchanged={[
        ...(all || !found.data || renewals.length > 0 ? [] : ['Other certificates keep working.']),
        'Connections and synced data stay as they are.',
      ]}
      reason={{ ...reasonField, label: 'Reason, in words' }}
      verb={all ? 'Revoke all' : 'Revoke certificate'}
      tone="danger"
      waiting={found.fetching}
      onConfirm={revoke}
      onClose={onClose}
    >
      <NativeSelect
        label="Reason in revocation lists"
        value={revocationReason}
        onChange={(event) => setRevocationReason(event.currentTarget.value as Reason)}
        data={Object.entries(revocationReasonWords).map(([value, label]) => ({ value, label }))}
      />
      {!all && renewals.length > 0 && (
        <RenewalsNotice names={renewals.map(({ keyName }) => keyName)} withThem={revocationReason === 'key_compromise'} />
      )}
    </ConsequenceDialog>
  );
}
