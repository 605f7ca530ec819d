import { SegmentedControl, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { CopyableCode } from '../../ui/CopyableCode.tsx';
import { Panel } from '../../ui/Panel.tsx';
import { keyCommand, keyKinds, type KeyKind } from './keyCommands.ts';

/** The command that makes a key and its certificate request. */
export function KeyCommands({ commonName }: { commonName: string }) {
  const [kind, setKind] = useState<KeyKind>('EC P-256');
  return (
    <Panel
      title="1. Make a key and a certificate request"
      lead="Run this on the machine that will call the API. It creates client.key, which stays with you, and client.csr, which you upload below."
    >
      <Stack gap="md" align="stretch">
        <SegmentedControl
          aria-label="Kind of key"
          data={Object.keys(keyKinds)}
          value={kind}
          onChange={(value) => setKind(value as KeyKind)}
          w="fit-content"
          maw="100%"
        />
        <CopyableCode value={keyCommand(kind, commonName)} label="the openssl command" block />
        <div>
          <Text size="sm" c="dimmed" mb={6}>
            The common name must be copied exactly, colons included, and be the only name in the request.
          </Text>
          <CopyableCode value={commonName} label="the common name" />
        </div>
      </Stack>
    </Panel>
  );
}
