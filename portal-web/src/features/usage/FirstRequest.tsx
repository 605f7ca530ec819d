import { Anchor, Stack, Text } from '@mantine/core';
import { Link } from 'react-router';
import { paths } from '../../paths.ts';
import { CopyableCode } from '../../ui/values/CopyableCode.tsx';
import { firstCallCommands } from '../integration/firstCallCommands.ts';
import type { Client } from '../integration/integrationQuery.ts';
import { keyNameOf } from '../integration/keyNameOf.ts';
import { useIntegration } from '../integration/useIntegration.ts';

/** Shown to owners while the request log is empty. It has the command for a first call. */
export function FirstRequest({ client }: { client: Client }) {
  const { integration, service } = useIntegration();
  const keyName = keyNameOf(client);
  if (integration.status === 'retired')
    return <Text>No requests in the last 7 days. The integration is retired, and every call is refused.</Text>;
  const [first] = firstCallCommands({ ...service, keyName });
  return (
    <Stack gap="sm">
      <Text>
        No requests yet. Your first call appears here a second or two after its response; for a refused call, you can see the reason. Run
        this in the folder with <code>{keyName}.key</code> and <code>{keyName}.pem</code>
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
        No certificate yet?{' '}
        <Anchor component={Link} to={paths.certificates(integration.slug, client.environment)} inherit>
          Get one
        </Anchor>
        .
      </Text>
    </Stack>
  );
}
