import { Button, Group, Modal, NativeSelect, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { useMutation } from 'urql';
import { ErrorMessage } from '../../ui/states/ErrorMessage.tsx';
import { EnvironmentTag } from '../../ui/values/EnvironmentTag.tsx';
import type { Client } from '../integration/integrationQuery.ts';
import { useFreshPasskey } from '../passkey/useFreshPasskey.ts';
import type { Certificate } from './certificatesQuery.ts';
import { RenewalsNotice } from './RenewalsNotice.tsx';
import { revokeCertificateMutation } from './revokeCertificateMutation.ts';
import { revocationReasonWords } from './revocationReasonWords.ts';

type Reason = keyof typeof revocationReasonWords;
type RevokeDialogProps = {
  certificate: Pick<Certificate, 'id'> & Partial<Pick<Certificate, 'serial' | 'renewals'>>;
  environment: Client['environment'];
  opened: boolean;
  onClose: () => void;
  onRevoked: () => void;
};

/** Asks for confirmation, naming the certificate and what revoking it does. */
export function RevokeDialog({ certificate, environment, opened, onClose, onRevoked }: RevokeDialogProps) {
  const [, revokeCertificate] = useMutation(revokeCertificateMutation);
  const confirmed = useFreshPasskey();
  const [reason, setReason] = useState<Reason>('superseded');
  const [problem, setProblem] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  const { renewals = [] } = certificate;

  async function revoke() {
    setBusy(true);
    setProblem(null);
    const { error } = await confirmed(() => revokeCertificate({ input: { certificateId: certificate.id, reason } }));
    setBusy(false);
    if (error) return setProblem(error.message);
    onClose();
    onRevoked();
  }

  return (
    <Modal opened={opened} onClose={onClose} title="Revoke this certificate?" closeButtonProps={{ 'aria-label': 'Close' }}>
      <Stack gap="md">
        {problem && <ErrorMessage message={problem} />}
        <Text style={{ overflowWrap: 'anywhere' }}>
          <EnvironmentTag environment={environment} /> <code>{certificate.id}</code>
          {certificate.serial && (
            <>
              , serial <code>{certificate.serial}</code>
            </>
          )}
          .
        </Text>
        <Text>
          Calls with this certificate are refused from the next request, including on open connections. This cannot be undone.
          {renewals.length === 0 && ' Other certificates keep working.'}
        </Text>
        <NativeSelect
          label="Reason"
          value={reason}
          onChange={(event) => setReason(event.currentTarget.value as Reason)}
          data={Object.entries(revocationReasonWords).map(([value, label]) => ({ value, label }))}
        />
        {renewals.length > 0 && <RenewalsNotice names={renewals.map(({ keyName }) => keyName)} withThem={reason === 'key_compromise'} />}
        <Group justify="flex-end" gap="sm">
          <Button variant="default" onClick={onClose}>
            Keep it
          </Button>
          <Button color="red.9" loading={busy} onClick={() => void revoke()}>
            Revoke certificate
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}
