import { Stack } from '@mantine/core';
import type { Client } from '../integration/integrationQuery.ts';
import { KeyCommands } from './KeyCommands.tsx';
import { UploadRequest } from './UploadRequest.tsx';

/** The operator makes the key and the request, and uploads the request. */
export function OwnRequest({ client, onRequested }: { client: Client; onRequested: () => void }) {
  return (
    <Stack gap="xl" align="stretch">
      <KeyCommands client={client} />
      <UploadRequest client={client} onRequested={onRequested} />
    </Stack>
  );
}
