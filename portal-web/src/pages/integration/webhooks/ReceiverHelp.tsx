import { Anchor, Button, Group, SegmentedControl, Stack, Text } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { useState } from 'react';
import { Link } from 'react-router';
import type { Service } from '../../../features/integration/useIntegration.ts';
import { localReceiverCommand, localReceiverUrl, type ReceiverLanguage, receivers } from '../../../features/webhooks/localReceiver.ts';
import { paths } from '../../../paths.ts';
import { WithCode } from '../../../ui/text/WithCode.tsx';
import { CopyableCode } from '../../../ui/values/CopyableCode.tsx';

type ReceiverHelpProps = { service: Service; onUrl: (url: string) => void };

/** For owners who have no receiver yet: complete ones to download and, on a development server, how to run one beside it. */
export function ReceiverHelp({ service, onUrl }: ReceiverHelpProps) {
  const { developmentReceiver: receiver } = service;
  const [language, setLanguage] = useState<ReceiverLanguage>('typescript');
  return (
    <Stack gap="xs">
      <Text size="sm">
        In Node,{' '}
        <Anchor component={Link} to={`${paths.guide('webhooks')}#with-the-kit`} inherit>
          the operator kit has one
        </Anchor>
        . These are complete, one file each.{' '}
        <Anchor component={Link} to={`${paths.guide('webhooks')}#try-it-on-your-machine`} inherit>
          Try it on your machine
        </Anchor>
      </Text>
      <Group gap="xs">
        {downloads.map(([name, file]) => (
          <Button
            key={file}
            component="a"
            href={paths.receiver(file)}
            download
            size="xs"
            variant="default"
            leftSection={<IconDownload size={14} aria-hidden />}
          >
            {name}
          </Button>
        ))}
      </Group>
      {receiver && (
        <>
          <Text size="sm">
            On this development server, what is for <code>https://{receiver.host}/…</code> goes to port {receiver.port} of the machine that
            it runs on. This starts the receiver there:
          </Text>
          <SegmentedControl
            aria-label="Language of the receiver"
            size="xs"
            w="fit-content"
            data={languages}
            value={language}
            onChange={setLanguage}
          />
          <Text size="sm" role="status">
            It needs <WithCode text={receivers[language].needs} />.
          </Text>
          <CopyableCode value={localReceiverCommand({ ...service, receiver }, language)} label="the command" block />
          <Button variant="default" size="xs" w="fit-content" onClick={() => onUrl(localReceiverUrl(receiver))}>
            Use {localReceiverUrl(receiver)}
          </Button>
        </>
      )}
    </Stack>
  );
}

const languages = Object.entries(receivers).map(([value, { language }]) => ({ value: value as ReceiverLanguage, label: language }));

const downloads = [...languages.map(({ value, label }) => [label, receivers[value].files[0]] as const), ['Go module', 'go.mod'] as const];
