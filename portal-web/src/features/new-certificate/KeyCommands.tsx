import { Group, SegmentedControl, Stack, Text, Title } from '@mantine/core';
import { useState } from 'react';
import { CopyableCode } from '../../ui/values/CopyableCode.tsx';
import { Identifier } from '../../ui/values/Identifier.tsx';
import type { Client } from '../integration/integrationQuery.ts';
import { keyCommand, keyKinds, shells, type KeyKind, type Shell } from './keyCommands.ts';

/** The command that creates a key and its certificate request. */
export function KeyCommands({ client: { commonName, nextKeyName: keyName } }: { client: Client }) {
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
