import { Button, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { useMutation } from 'urql';
import { ErrorMessage } from '../../../../ui/states/ErrorMessage.tsx';
import type { Client } from '../../../../features/integration/integrationQuery.ts';
import { useFreshPasskey } from '../../../../features/passkey/useFreshPasskey.ts';
import { useInHand } from './inHand.ts';
import { writeKeyTrace } from './keyTrace.ts';
import { requestCertificateMutation } from './requestCertificateMutation.ts';
import { saveKey } from './saveKey.ts';

const cannotMakeKeys =
  'This browser could not make a key. Nothing was sent. Use a current browser, or choose your own request and make the key with openssl.';

/** Makes a key on this page, sends the request for it alone, and has the browser save the key. */
export function KeyInBrowser({ client, onRequested }: { client: Client; onRequested: () => void }) {
  const [, requestCertificate] = useMutation(requestCertificateMutation);
  const confirmed = useFreshPasskey();
  const [held, hold] = useInHand(client.id);
  const [problem, setProblem] = useState<string | null>(null);
  const [making, setMaking] = useState(false);

  async function begin(): Promise<string | null> {
    const made = await makeKey(client.commonName);
    if (!made) return cannotMakeKeys;
    const { keyPem, csrPem } = made;
    const { nextKeyName } = client;
    hold({ way: 'browser', certificateId: null, keyName: nextKeyName, keyPem });
    writeKeyTrace(client.id, { keyName: nextKeyName, certificateId: null });
    const { data, error } = await confirmed(() => requestCertificate({ input: { clientId: client.id, csr: csrPem } }));
    if (error) {
      hold(null);
      // Without an answer, the request may have been accepted. The trace then says what to do about its certificate.
      if (!unanswered.has(error.code)) writeKeyTrace(client.id, null);
      return error.fields['csr'] ?? error.message;
    }
    const { id: certificateId, keyName } = data.requestCertificate;
    saveKey({ keyName, keyPem });
    writeKeyTrace(client.id, { keyName, certificateId });
    hold({ way: 'browser', certificateId, keyName, keyPem });
    return null;
  }

  async function submit() {
    setMaking(true);
    setProblem(null);
    const found = await begin();
    setMaking(false);
    setProblem(found);
    onRequested();
  }

  return (
    <Stack gap="md" align="flex-start">
      {problem && <ErrorMessage message={problem} />}
      <Text size="sm" maw={640}>
        Your browser makes an EC P-256 key, sends us the certificate request, and saves the key as <code>{client.nextKeyName}.key</code>.
        The certificate follows a moment later, as a second file. You will be asked for your passkey.
      </Text>
      <Button loading={making || held !== null} onClick={() => void submit()}>
        Create key and request certificate
      </Button>
    </Stack>
  );
}

/** The codes of failures that do not tell whether the service has done what it was asked to. */
const unanswered = new Set(['NETWORK', 'INTERNAL']);

/** The code that makes keys and requests is loaded when it is needed. */
async function makeKey(commonName: string) {
  try {
    const { makeKeyAndRequest } = await import('./makeKeyAndRequest.ts');
    return await makeKeyAndRequest(commonName);
  } catch {
    return null;
  }
}
