import { Anchor, Button, Stack, Text } from '@mantine/core';
import { Link } from 'react-router';
import { paths } from '../../paths.ts';
import { CopyableCode } from '../../ui/CopyableCode.tsx';
import { firstCallCommands } from '../integration/firstCallCommands.ts';
import type { Service } from '../integration/useIntegration.ts';
import type { RequestFilters } from './useRequestFilters.ts';

type NoRequestsProps = { filters: RequestFilters; onClear: () => void; service: Service; slug: string; keyName: string };

/** What an empty list means, and how to fill it. */
export function NoRequests({ filters: { requestId, answer, operation }, onClear, service, slug, keyName }: NoRequestsProps) {
  if (requestId || answer || operation)
    return (
      <Stack gap="sm" align="flex-start">
        <Text>
          {requestId
            ? 'This client has no request with this ID. Requests are kept for 7 days; those made without one of our certificates are not logged.'
            : 'No requests in the last 7 days match these filters.'}
        </Text>
        <Button variant="default" onClick={onClear}>
          Show all requests
        </Button>
      </Stack>
    );
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
        <Anchor component={Link} to={paths.certificates(slug)} inherit>
          Get one
        </Anchor>
        .
      </Text>
    </Stack>
  );
}
