import { Anchor, Button, Stack, Text, Title } from '@mantine/core';
import { Link } from 'react-router';
import { paths } from '../../paths.ts';
import { CopyableCode } from '../../ui/values/CopyableCode.tsx';
import { firstCallCommands } from '../integration/firstCallCommands.ts';
import type { Client } from '../integration/integrationQuery.ts';
import { keyNameOf } from '../integration/keyNameOf.ts';
import { hasIssued } from '../integration/hasIssued.ts';
import { useReadOnly } from '../integration/ownerView.ts';
import { useIntegration } from '../integration/useIntegration.ts';

type FirstRequestProps = {
  client: Client;
  certificatesPath: string;
  /** Why every call is refused, which the page says above; null where calls are answered. */
  refusedBecause: string | null;
};

/** Shown to owners while the request log is empty: the command for a first call. */
export function FirstRequest({ client, certificatesPath, refusedBecause }: FirstRequestProps) {
  const { service } = useIntegration();
  const readOnly = useReadOnly();
  const keyName = keyNameOf(client);
  if (refusedBecause !== null) return <Text>No requests in the last 7 days.</Text>;
  const [first] = firstCallCommands({ ...service, keyName });
  if (!hasIssued(client)) {
    const pending = client.certificatesInUse.length > 0;
    return (
      <Stack gap="sm" align="flex-start" pt="xs">
        <Title order={2}>{pending ? 'The certificate is being issued' : 'To call the API, your back end needs a client certificate'}</Title>
        {!pending && !readOnly && (
          <Button component={Link} to={certificatesPath}>
            Get a certificate
          </Button>
        )}
        <Text size="sm" c="dimmed">
          The command for a call appears here once you have one.
        </Text>
      </Stack>
    );
  }
  return (
    <Stack gap="sm">
      <Text>
        Run this in the folder with <code>{keyName}.key</code> and <code>{keyName}.pem</code>
        {service.developmentCa && (
          <>
            {' '}
            (and{' '}
            <Anchor href={paths.developmentCa} download="ca.pem" inherit>
              ca.pem
            </Anchor>
            )
          </>
        )}
        :
      </Text>
      {first && <CopyableCode value={first.command} label="the command for the first call" block />}
      <Text size="sm" c="dimmed">
        The call appears here within three seconds of its response. If it is refused, you see why and what to do.
      </Text>
    </Stack>
  );
}
