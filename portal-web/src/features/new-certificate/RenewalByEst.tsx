import { Anchor, Stack, Switch, Text } from '@mantine/core';
import { useState } from 'react';
import { Link } from 'react-router';
import { useMutation } from 'urql';
import { graphql } from '../../graphql/graphql.ts';
import { paths } from '../../paths.ts';
import { ErrorMessage } from '../../ui/states/ErrorMessage.tsx';
import { CopyableCode } from '../../ui/values/CopyableCode.tsx';
import type { Client } from '../integration/integrationQuery.ts';
import type { Service } from '../integration/useIntegration.ts';
import { useFreshPasskey } from '../passkey/useFreshPasskey.ts';

const setRenewalByEstMutation = graphql(`
  mutation SetRenewalByEst($input: SetRenewalByEstInput!) {
    setRenewalByEst(input: $input) {
      id
      renewalByEst
    }
  }
`);

type RenewalByEstProps = { client: Client; service: Service; onChange: () => void };

/** The switch that lets a client's back end renew its certificates by itself, and what that means. */
export function RenewalByEst({ client, service, onChange }: RenewalByEstProps) {
  const [, setRenewalByEst] = useMutation(setRenewalByEstMutation);
  const confirmed = useFreshPasskey();
  const [problem, setProblem] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  const { renewalByEst } = client;

  async function change(enabled: boolean) {
    setBusy(true);
    setProblem(null);
    const { error } = await confirmed(() => setRenewalByEst({ input: { clientId: client.id, enabled } }));
    setBusy(false);
    if (error) return setProblem(error.message);
    onChange();
  }

  return (
    <Stack gap="md" align="flex-start">
      {problem && <ErrorMessage message={problem} />}
      <Text size="sm" maw={640}>
        Your back end renews its certificates by itself, through EST (RFC 7030): with a certificate in use, from two thirds of its lifetime
        on, and with a new key each time. We email you about every renewal. While this is on, whoever broke into our machine API could have
        a certificate that is due renewed for a key of their own, so revoke any renewal that is not yours.{' '}
        <Anchor component={Link} to={paths.guide('certificate-renewal')} inherit>
          How to set it up
        </Anchor>
      </Text>
      <Switch
        label="Let the back end renew its certificates"
        description="While this is on, whoever has the key of a certificate in use can get the next one without your passkey. Switching it off takes effect with the next request."
        checked={renewalByEst}
        disabled={busy}
        onChange={(event) => void change(event.currentTarget.checked)}
        maw={640}
      />
      {renewalByEst && (
        <div>
          <Text size="sm" c="dimmed" mb={6}>
            Your EST client needs this address:
          </Text>
          <CopyableCode value={new URL('/.well-known/est', service.machineApiUrl).href} label="the address for EST" />
        </div>
      )}
    </Stack>
  );
}
