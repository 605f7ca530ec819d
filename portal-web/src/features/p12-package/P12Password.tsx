import { Button, Group, Stack, Text } from '@mantine/core';
import { CopyableCode } from '../../ui/values/CopyableCode.tsx';
import type { Service } from '../integration/useIntegration.ts';
import type { Claimed } from '../new-certificate/inHand.ts';
import { P12Commands } from './P12Commands.tsx';
import { savePackage } from './savePackage.ts';

type P12PasswordProps = {
  claimed: Claimed;
  keyName: string;
  service: Service;
  /** Called when its owner has file and password. The page then forgets both. */
  onSaved: () => void;
};

/** The password of a package, which is shown this once, and how to use the package. */
export function P12Password({ claimed, keyName, service, onSaved }: P12PasswordProps) {
  return (
    <Stack gap="md" align="flex-start" w="100%">
      <div>
        <Text size="sm" mb={6}>
          The password of <code>{claimed.fileName}</code>. Put it into your secret store, not into a file beside the package. We have kept
          neither.
        </Text>
        <CopyableCode value={claimed.password} label="the password" />
      </div>
      <Group gap="sm">
        <Button onClick={onSaved}>I have saved it</Button>
        <Button variant="default" onClick={() => savePackage(claimed)}>
          Save {claimed.fileName} again
        </Button>
      </Group>
      <P12Commands keyName={keyName} service={service} />
    </Stack>
  );
}
