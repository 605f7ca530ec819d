import { Button } from '@mantine/core';
import { ErrorMessage } from '../../ui/states/ErrorMessage.tsx';
import type { Client } from '../integration/integrationQuery.ts';
import { Notice } from '../../ui/states/Notice.tsx';
import { useRequestP12 } from './useRequestP12.ts';

type LostTokenNoticeProps = { client: Client; certificateId: string; keyName: string; onChange: () => void };

/** Says that a package waits whose claim token this page does not have, after a reload for instance, and offers to start again. */
export function LostTokenNotice({ client, certificateId, keyName, onChange }: LostTokenNoticeProps) {
  const { request, busy, problem } = useRequestP12(client.id, onChange);
  return (
    <Notice
      title="This page cannot open your P12 package"
      words={`The package ${keyName}.p12 opens only with the claim token of the page that requested it. If that page is still open elsewhere, go on there. If it was reloaded or closed, the token is gone and nobody can open the package: start again. This revokes its certificate and requests another package.`}
      actions={
        <Button size="xs" variant="default" loading={busy} onClick={() => void request(certificateId)}>
          Start again
        </Button>
      }
    >
      {problem && <ErrorMessage message={problem} />}
    </Notice>
  );
}
