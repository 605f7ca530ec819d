import { Anchor, Button, Stack, Text } from '@mantine/core';
import { Link } from 'react-router';
import { paths } from '../../paths.ts';
import { CopyableCode } from '../../ui/CopyableCode.tsx';
import { firstCallCommands } from '../integration/firstCallCommands.ts';
import type { Service } from '../integration/useIntegration.ts';
import type { RequestFilters } from './useRequestFilters.ts';

type NoRequestsProps = { filters: RequestFilters; onClear: () => void; service: Service; slug: string };

/** What an empty list means, and how to fill it. */
export function NoRequests({ filters: { requestId, answer, operation }, onClear, service, slug }: NoRequestsProps) {
  if (requestId || answer || operation)
    return (
      <Stack gap="sm" align="flex-start">
        <Text>
          {requestId
            ? 'No request of this client has this ID. Requests are kept for 7 days; one without a certificate of ours belongs to nobody and is in no log.'
            : 'No request of the last 7 days fits these filters.'}
        </Text>
        <Button variant="default" onClick={onClear}>
          Show all requests
        </Button>
      </Stack>
    );
  const [first] = firstCallCommands(service);
  return (
    <Stack gap="sm">
      <Text>
        No request yet. Your first call shows here a second or two after its answer, refused calls with the reason in words. Run this in the
        folder with <code>client.key</code> and <code>client.pem</code>
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
