import { Anchor, Stack, Text } from '@mantine/core';
import { Link } from 'react-router';
import { paths } from '../../paths.ts';
import { CopyableCode } from '../../ui/values/CopyableCode.tsx';
import { EnvironmentTag } from '../../ui/values/EnvironmentTag.tsx';
import { Panel } from '../../ui/layout/Panel.tsx';
import { firstCallCommands } from './firstCallCommands.ts';
import type { Client } from './integrationQuery.ts';
import { keyNameOf } from './keyNameOf.ts';
import type { Service } from './useIntegration.ts';

/** Commands for the first calls, with the reader's own values. */
export function FirstCalls({ service, client }: { service: Service; client: Client }) {
  return (
    <Panel title="First calls" marks={<EnvironmentTag environment="sandbox" />} lead={<Needed service={service} client={client} />}>
      <Stack gap="md">
        {firstCallCommands({ ...service, keyName: keyNameOf(client) }).map(({ what, command }) => (
          <div key={what}>
            <Text size="sm" fw={550} mb={6}>
              {what}
            </Text>
            <CopyableCode value={command} label={`the command: ${what}`} block />
          </div>
        ))}
      </Stack>
    </Panel>
  );
}

function Needed({ service, client }: { service: Service; client: Client }) {
  const keyName = keyNameOf(client);
  const certificate = client.certificatesInUse.find(({ status }) => status === 'issued');
  return (
    <>
      Run these in the folder with <code>{keyName}.key</code> and{' '}
      {certificate?.bundlePath ? (
        <Anchor href={certificate.bundlePath} download={`${keyName}.pem`} inherit>
          {keyName}.pem
        </Anchor>
      ) : (
        <>
          <code>{keyName}.pem</code> (once your certificate is issued)
        </>
      )}
      .
      {service.developmentCa && (
        <>
          {' '}
          This is a development server, so curl also needs{' '}
          <Anchor href={paths.developmentCa} download="ca.pem" inherit>
            ca.pem
          </Anchor>
          , the CA certificate of its TLS server.
        </>
      )}{' '}
      <Anchor component={Link} to={paths.guide('syncing')} inherit>
        How syncing works
      </Anchor>
    </>
  );
}
