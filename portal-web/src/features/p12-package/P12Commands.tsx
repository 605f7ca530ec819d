import { Anchor, SegmentedControl, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { paths } from '../../paths.ts';
import { CopyableCode } from '../../ui/values/CopyableCode.tsx';
import type { Service } from '../integration/useIntegration.ts';
import { p12Commands, p12Tools, type P12Tool } from './p12Commands.ts';

type P12CommandsProps = { keyName: string; service: Pick<Service, 'machineApiUrl' | 'developmentCa'> };

/** How to call the machine API with a package, in the reader's language and with the reader's file name. */
export function P12Commands({ keyName, service }: P12CommandsProps) {
  const [tool, setTool] = useState<P12Tool>('openssl');
  const { what, text } = p12Commands[tool]({ ...service, keyName });
  return (
    <Stack gap="xs" w="100%" align="stretch">
      <SegmentedControl
        aria-label="Tool"
        data={Object.entries(p12Tools).map(([value, label]) => ({ value, label }))}
        value={tool}
        onChange={(value) => setTool(value as P12Tool)}
        w="fit-content"
        maw="100%"
      />
      <Text size="sm" maw={640}>
        {what}
        {service.developmentCa && (
          <>
            {' '}
            This is a development server, so you also need{' '}
            <Anchor href={paths.developmentCa} download="ca.pem" inherit>
              ca.pem
            </Anchor>
            .
          </>
        )}
      </Text>
      <CopyableCode value={text} label={`the example for ${p12Tools[tool]}`} block />
    </Stack>
  );
}
