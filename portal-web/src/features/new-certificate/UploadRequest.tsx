import { Button, FileButton, Group, Stack, Textarea, Title } from '@mantine/core';
import { IconFileText } from '@tabler/icons-react';
import { useState, type SubmitEvent } from 'react';
import { useMutation } from 'urql';
import { ErrorMessage } from '../../ui/states/ErrorMessage.tsx';
import type { Client } from '../integration/integrationQuery.ts';
import { useFreshPasskey } from '../passkey/useFreshPasskey.ts';
import { csrComplaint } from './csrComplaint.ts';
import { writeKeyTrace } from './keyTrace.ts';
import { requestCertificateMutation } from './requestCertificateMutation.ts';

type UploadRequestProps = { client: Client; onRequested: () => void };

/** Uploads a certificate request, after a fresh passkey confirmation. */
export function UploadRequest({ client, onRequested }: UploadRequestProps) {
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
            styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)', fontSize: '0.8125rem' } }}
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
