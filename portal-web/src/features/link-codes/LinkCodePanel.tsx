import { Stack, Title } from '@mantine/core';
import { useState } from 'react';
import { usePolledQuery } from '../../graphql/usePolledQuery.ts';
import { EnvironmentTag } from '../../ui/values/EnvironmentTag.tsx';
import { Panel } from '../../ui/layout/Panel.tsx';
import type { Service } from '../integration/useIntegration.ts';
import { LinkCodeForm } from './LinkCodeForm.tsx';
import { LinkCodeList } from './LinkCodeList.tsx';
import { NewLinkCode } from './NewLinkCode.tsx';
import type { GeneratedLinkCode } from '../sandbox/sandboxMutations.ts';
import { sandboxContext, sandboxLinkCodesQuery, type Sandbox } from '../sandbox/sandboxQueries.ts';

const pageSize = 10;

type LinkCodePanelProps = { clientId: string; sandbox: Sandbox; service: Service };

/** Link codes of test users. They are generated here and redeemed by the operator's back end; the list shows their states. */
export function LinkCodePanel({ clientId, sandbox, service }: LinkCodePanelProps) {
  const [generated, setGenerated] = useState<GeneratedLinkCode | null>(null);
  const [{ data }] = usePolledQuery({
    query: sandboxLinkCodesQuery,
    variables: { clientId, first: pageSize, after: null },
    // The operator's back end redeems the code, so the page has to poll for it.
    whileTrue: ({ sandboxLinkCodes }) => sandboxLinkCodes.edges.some(({ node }) => node.state === 'generated'),
    context: sandboxContext,
  });
  const codes = data?.sandboxLinkCodes.edges.map(({ node }) => node) ?? [];
  const shown = codes.find(({ id }) => id === generated?.id);
  return (
    <Panel
      title="Link codes"
      lead="Users share with a ten-digit code. Here you play the user: generate a code, and redeem it with your back end as you would a real one."
      marks={<EnvironmentTag environment="sandbox" />}
    >
      <Stack gap="lg">
        {generated && <NewLinkCode key={generated.id} generated={generated} state={shown} service={service} />}
        <LinkCodeForm {...{ clientId, sandbox }} scopes={service.scopes} onGenerated={setGenerated} />
        {codes.length > 0 && (
          <section aria-label="Codes from the last 24 hours">
            <Title order={3} mb="xs">
              Codes from the last 24 hours
            </Title>
            <LinkCodeList clientId={clientId} first={pageSize} />
          </section>
        )}
      </Stack>
    </Panel>
  );
}
