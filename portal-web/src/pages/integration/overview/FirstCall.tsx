import { Anchor, Group, Loader, Stack, Text } from '@mantine/core';
import { IconAlertTriangle, IconCircleCheck } from '@tabler/icons-react';
import { useEffect, useRef } from 'react';
import { certificateFacts } from '../../../../../server/domain/certificate/certificateFacts.ts';
import { usePolledQuery } from '../../../graphql/usePolledQuery.ts';
import { graphql } from '../../../graphql/graphql.ts';
import { paths } from '../../../paths.ts';
import { CopyableCode } from '../../../ui/values/CopyableCode.tsx';
import { firstCallCommands } from '../../../features/integration/firstCallCommands.ts';
import type { Client } from '../../../features/integration/integrationQuery.ts';
import { keyNameOf } from '../../../features/integration/keyNameOf.ts';
import type { Service } from '../../../features/integration/useIntegration.ts';

const lastCallQuery = graphql(`
  query LastCall($clientId: ID!) {
    requests(clientId: $clientId, first: 1) {
      edges {
        node {
          id
          status
          operation
          title
          reason
          advice
        }
      }
    }
  }
`);

type FirstCallProps = { client: Client; service: Service; onAnswered: () => void };

/** The command for the first call, and what has become of it: it turns green once a call is answered, or says why it was refused. */
export function FirstCall({ client, service, onAnswered }: FirstCallProps) {
  const keyName = keyNameOf(client);
  const [command] = firstCallCommands({ ...service, keyName });
  const certificate = client.certificatesInUse.find(({ status }) => certificateFacts[status].stage === 'working');
  return (
    <Stack gap="xs">
      <Text size="sm">
        Run this in the folder with <code>{keyName}.key</code> and{' '}
        {certificate?.bundlePath ? (
          <Anchor href={certificate.bundlePath} download={`${keyName}.pem`} inherit>
            {keyName}.pem
          </Anchor>
        ) : (
          <code>{keyName}.pem</code>
        )}
        {service.developmentCa && (
          <>
            {' '}
            (and{' '}
            <Anchor href={paths.developmentCa} download="ca.pem" inherit>
              ca.pem
            </Anchor>
            , the CA of this development server)
          </>
        )}
        .
      </Text>
      {command && <CopyableCode value={command.command} label="the command for the first call" block />}
      <LastCall clientId={client.id} onAnswered={onAnswered} />
    </Stack>
  );
}

function LastCall({ clientId, onAnswered }: { clientId: string; onAnswered: () => void }) {
  const [{ data }] = usePolledQuery({
    query: lastCallQuery,
    variables: { clientId },
    whileTrue: ({ requests }) => (requests.edges[0]?.node.status ?? 999) >= 400,
    every: 2000,
  });
  const call = data?.requests.edges[0]?.node;
  const answered = call !== undefined && call.status < 400;
  const told = useRef(false);
  useEffect(() => {
    if (!answered || told.current) return;
    told.current = true;
    onAnswered();
  }, [answered, onAnswered]);
  return (
    <div role="status">
      {!call ? (
        <Group gap="xs" wrap="nowrap">
          <Loader size="xs" aria-hidden />
          <Text size="sm">Waiting for your first call…</Text>
        </Group>
      ) : answered ? (
        <Group gap="xs" wrap="nowrap" c="green">
          <IconCircleCheck size={18} aria-hidden />
          <Text size="sm" fw={600}>
            Your first call was answered: {call.operation}, {call.status}.
          </Text>
        </Group>
      ) : (
        <Group gap="xs" wrap="nowrap" align="flex-start">
          <IconAlertTriangle size={18} aria-hidden />
          <Text size="sm">
            <strong>
              Your last call was refused: {call.title}, {call.status}.
            </strong>{' '}
            {call.reason} {call.advice} Waiting for the next one…
          </Text>
        </Group>
      )}
    </div>
  );
}
