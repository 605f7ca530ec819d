import { Alert, Anchor, Button, Text } from '@mantine/core';
import { IconMailbox } from '@tabler/icons-react';
import { useFrame } from '../../graphql/useFrame.ts';
import { paths } from '../../paths.ts';
import { NarrowPage } from '../../ui/layout/NarrowPage.tsx';
import { PageHeader } from '../../ui/layout/PageHeader.tsx';
import { RegistrationCode } from './RegistrationCode.tsx';

/** Says what to do after a registration was requested. The words are the same whether or not the address is known. */
export function CheckYourMail({ address, onAgain }: { address: string; onAgain: () => void }) {
  const [{ data }] = useFrame();
  return (
    <NarrowPage>
      <PageHeader title="Check your email" />
      <Text>
        A message is on its way to <strong>{address}</strong>. Within 20 minutes, open the link in it on the device that is to have your
        passkey, or enter its code here. If it does not arrive, check your spam folder.
      </Text>
      <RegistrationCode />
      {data?.service.developmentMailbox && (
        <Alert variant="outline" color="gray" icon={<IconMailbox aria-hidden />} title="This is a development server">
          It does not send email.{' '}
          <Anchor href={paths.developmentMailbox} size="sm">
            Open the development mailbox
          </Anchor>
        </Alert>
      )}
      <Button variant="default" onClick={onAgain}>
        Use another address, or send it again
      </Button>
    </NarrowPage>
  );
}
