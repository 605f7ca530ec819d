import { NativeSelect } from '@mantine/core';
import { useState } from 'react';
import { useMutation } from 'urql';
import { RenewalsNotice } from '../../../features/certificates/RenewalsNotice.tsx';
import { revocationReasonWords } from '../../../features/certificates/revocationReasonWords.ts';
import type { Client } from '../../../features/integration/integrationQuery.ts';
import { useFreshPasskey } from '../../../features/passkey/useFreshPasskey.ts';
import { ConsequenceDialog } from '../../../ui/forms/ConsequenceDialog.tsx';
import { EnvironmentTag } from '../../../ui/values/EnvironmentTag.tsx';
import { Identifier } from '../../../ui/values/Identifier.tsx';
import { type Certificate, revokeCertificateMutation } from './certificateQueries.ts';

type Reason = keyof typeof revocationReasonWords;
type RevokeDialogProps = {
  /** Whether a newer certificate is in use. */
  replaced?: boolean;
  certificate: Pick<Certificate, 'id' | 'keyName'> & Partial<Pick<Certificate, 'serial' | 'renewals'>>;
  environment: Client['environment'];
  onClose: () => void;
  onRevoked: () => void;
};

/** Asks for confirmation, naming the certificate and what revoking it does. */
export function RevokeDialog({ certificate, environment, replaced = false, onClose, onRevoked }: RevokeDialogProps) {
  const [, revokeCertificate] = useMutation(revokeCertificateMutation);
  const confirmed = useFreshPasskey();
  const [reason, setReason] = useState<Reason>(replaced ? 'superseded' : 'unspecified');
  const { id, keyName, serial, renewals = [] } = certificate;

  async function revoke() {
    const { error } = await confirmed(() => revokeCertificate({ input: { certificateId: id, reason } }));
    if (error) return error.message;
    onRevoked();
    return null;
  }

  return (
    <ConsequenceDialog
      title="Revoke this certificate?"
      object={
        <>
          <EnvironmentTag environment={environment} /> {keyName}
          <div>
            <Identifier value={id} copy={false} />
          </div>
          {serial && (
            <div>
              Serial <Identifier value={serial} copy={false} />
            </div>
          )}
        </>
      }
      changes={[
        'Calls with it are refused from the next request on, including on open connections.',
        'If it was replacing an older certificate that still works, that one gets its original end back.',
        'This cannot be undone.',
      ]}
      unchanged={[...(renewals.length === 0 ? ['Other certificates keep working.'] : []), 'Connections, cursors and quotas stay.']}
      verb="Revoke certificate"
      tone="danger"
      onConfirm={revoke}
      onClose={onClose}
    >
      <NativeSelect
        label="Reason"
        value={reason}
        onChange={(event) => setReason(event.currentTarget.value as Reason)}
        data={Object.entries(revocationReasonWords).map(([value, label]) => ({ value, label }))}
      />
      {renewals.length > 0 && <RenewalsNotice names={renewals.map((renewal) => renewal.keyName)} withThem={reason === 'key_compromise'} />}
    </ConsequenceDialog>
  );
}
