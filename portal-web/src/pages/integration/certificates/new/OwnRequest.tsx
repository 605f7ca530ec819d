import { Button, FileButton, Group, SegmentedControl, Stack, Text, Textarea, Title } from '@mantine/core';
import { IconFileText } from '@tabler/icons-react';
import { type SubmitEvent, useState } from 'react';
import { useMutation } from 'urql';
import type { Client } from '../../../../features/integration/integrationQuery.ts';
import { useFreshPasskey } from '../../../../features/passkey/useFreshPasskey.ts';
import { ErrorMessage } from '../../../../ui/states/ErrorMessage.tsx';
import { CopyableCode } from '../../../../ui/values/CopyableCode.tsx';
import { Identifier } from '../../../../ui/values/Identifier.tsx';
import { requestCertificateMutation } from '../certificateQueries.ts';
import { csrComplaint, keyCommand, type KeyKind, keyKinds, type Shell, shells } from './ownRequestWords.ts';
import { writeKeyTrace } from './keyTrace.ts';

/** The operator makes the key and the request, and uploads the request. */
export function OwnRequest({ client, onRequested }: { client: Client; onRequested: () => void }) {
  return (
    <Stack gap="xl" align="stretch">
      <KeyCommands client={client} />
      <UploadRequest client={client} onRequested={onRequested} />
    </Stack>
  );
}

/** The command that creates a key and its certificate request. */
function KeyCommands({ client: { commonName, nextKeyName: keyName } }: { client: Client }) {
  const [kind, setKind] = useState<KeyKind>('EC P-256');
  const [shell, setShell] = useState<Shell>('macOS, Linux');
  return (
    <section>
      <Title order={3} mb="xs">
        1. Create a key and a certificate request
      </Title>
      <Text c="dimmed" size="sm" mb="md" maw={640}>
        Run this on the machine that will call the API. It creates {keyName}.key, which stays with you, and {keyName}.csr, which you upload
        below. Each certificate needs a new key; an existing key is never overwritten.
      </Text>
      <Stack gap="md" align="stretch">
        <Group gap="sm">
          <SegmentedControl
            aria-label="Key type"
            data={Object.keys(keyKinds)}
            value={kind}
            onChange={(value) => setKind(value as KeyKind)}
            maw="100%"
          />
          <SegmentedControl aria-label="Shell" data={[...shells]} value={shell} onChange={setShell} maw="100%" />
        </Group>
        <CopyableCode value={keyCommand({ kind, commonName, keyName }, shell)} label="the openssl command" block />
        <div>
          <Text size="sm" c="dimmed" mb={6}>
            The common name must be copied exactly, colons included, and be the only name in the request.
          </Text>
          <Identifier value={commonName} label="the common name" />
        </div>
      </Stack>
    </section>
  );
}

type UploadRequestProps = { client: Client; onRequested: () => void };

/** Uploads a certificate request, after a fresh passkey confirmation. */
function UploadRequest({ client, onRequested }: UploadRequestProps) {
  const [, requestCertificate] = useMutation(requestCertificateMutation);
  const confirmed = useFreshPasskey();
  const [csr, setCsr] = useState('');
  const [complaint, setComplaint] = useState<string | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);

  function take(given: string) {
    // Every other byte of a file that Windows has saved as UTF-16.
    const text = given.replaceAll('\0', '');
    const found = text.trim() ? csrComplaint(text) : null;
    // A private key does not even stay in the page's memory.
    setCsr(text.includes('PRIVATE KEY-----') ? '' : text);
    setComplaint(found);
  }

  async function submit(event: SubmitEvent) {
    event.preventDefault();
    const found = csrComplaint(csr);
    setComplaint(found);
    setProblem(null);
    if (found) return;
    setBusy(true);
    const { data, error } = await confirmed(() => requestCertificate({ input: { clientId: client.id, csr: csr.trim() } }));
    setBusy(false);
    if (error) {
      setComplaint(error.fields['csr'] ?? null);
      setProblem(error.fields['csr'] ? null : error.message);
    }
    if (data) {
      setCsr('');
      // The name of a key that was lost on this page may now be that of the uploaded one.
      writeKeyTrace(client.id, null);
      onRequested();
    }
  }

  return (
    <section>
      <Title order={3} mb="md">
        2. Upload the request
      </Title>
      <form onSubmit={(event) => void submit(event)} noValidate>
        <Stack gap="md">
          {problem && <ErrorMessage message={problem} />}
          <Textarea
            label="Certificate request (PEM)"
            description="You will be asked for your passkey when you submit it."
            placeholder="-----BEGIN CERTIFICATE REQUEST-----"
            autosize
            minRows={5}
            maxRows={14}
            spellCheck={false}
            autoComplete="off"
            required
            value={csr}
            onChange={(event) => take(event.currentTarget.value)}
            error={complaint}
            styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)' } }}
          />
          <Group gap="sm">
            <Button type="submit" loading={busy}>
              Request certificate
            </Button>
            <FileButton
              onChange={(file) =>
                void file
                  ?.slice(0, 64 * 1024)
                  .text()
                  .then(take)
              }
              accept=".csr,.pem,.txt,.req"
            >
              {(props) => (
                <Button {...props} variant="default" leftSection={<IconFileText size={16} aria-hidden />}>
                  Choose a file
                </Button>
              )}
            </FileButton>
          </Group>
        </Stack>
      </form>
    </section>
  );
}
