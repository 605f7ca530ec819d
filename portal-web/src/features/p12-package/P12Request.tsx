import { Button, Stack, Text } from '@mantine/core';
import { ErrorMessage } from '../../ui/states/ErrorMessage.tsx';
import type { Client } from '../integration/integrationQuery.ts';
import { useRequestP12 } from './useRequestP12.ts';

/** Requests a P12 package. */
export function P12Request({ client, onRequested }: { client: Client; onRequested: () => void }) {
  const { request, busy, problem } = useRequestP12(client.id, onRequested);
  return (
    <Stack gap="md" align="flex-start">
      {problem && <ErrorMessage message={problem} />}
      <Text size="sm" maw={640}>
        Stay on this page: it alone gets the claim token that opens the package, and keeps it in memory only. The package is ready about a
        second later. You then have 15 minutes to download <code>{client.nextKeyName}.p12</code>, once, and to note its password. You will
        be asked for your passkey.
      </Text>
      <Button loading={busy} onClick={() => void request()}>
        Request P12 package
      </Button>
    </Stack>
  );
}
