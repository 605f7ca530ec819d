import { Button } from '@mantine/core';
import { useState } from 'react';
import { RevokeDialog } from '../certificates/RevokeDialog.tsx';
import type { Client } from '../integration/integrationQuery.ts';
import type { KeyTrace } from './keyTrace.ts';
import { Notice } from '../../ui/states/Notice.tsx';

type LostKeyNoticeProps = {
  client: Client;
  trace: KeyTrace;
  /** Called when the reader needs the notice no longer. */
  onDismiss: () => void;
  onRevoked: () => void;
};

/**
 * Says after a reload that a key which was made on this page is no longer there, and what to do: revoke its certificate, which no one can
 * use without the key, and start again.
 */
export function LostKeyNotice({ client, trace, onDismiss, onRevoked }: LostKeyNoticeProps) {
  const [revoking, setRevoking] = useState(false);
  const { keyName } = trace;
  // Where the answer was lost, the name may have gone to another certificate since: a package's, or one that somebody already calls with.
  const certificate = client.certificatesInUse.find(({ id, keyName: name, p12, lastUsedAt }) =>
    trace.certificateId ? id === trace.certificateId : name === keyName && p12 === null && lastUsedAt === null,
  );
  const saved = trace.certificateId !== null;
  return (
    <Notice
      title={saved ? 'This page no longer has your new key' : 'The key is gone'}
      words={wordsFor(keyName, saved, certificate !== undefined)}
      actions={
        <>
          {certificate && (
            <Button size="xs" variant="default" onClick={() => setRevoking(true)}>
              Revoke the certificate
            </Button>
          )}
          <Button size="xs" variant="default" onClick={onDismiss}>
            {saved && certificate ? `I have ${keyName}.key` : 'Start again'}
          </Button>
        </>
      }
    >
      {certificate && revoking && (
        <RevokeDialog certificate={certificate} environment={client.environment} onClose={() => setRevoking(false)} onRevoked={onRevoked} />
      )}
    </Notice>
  );
}

function wordsFor(keyName: string, saved: boolean, certified: boolean): string {
  if (!certified) {
    return saved
      ? `It was made for ${keyName}, whose certificate is no longer in use. If your browser saved ${keyName}.key, delete it.`
      : `It existed only in the memory of this page, which has ended before ${keyName}.key was saved. No certificate was requested for it, so there is nothing to revoke.`;
  }
  return saved
    ? `It was in the memory of this page alone, which has been reloaded. Your browser was given it as ${keyName}.key. If that file is among your downloads, all is well: download its certificate from the table to go with it. If not, the key is gone, and nobody can use its certificate. Revoke it, then start again.`
    : `It existed only in the memory of this page, which has ended before ${keyName}.key was saved. Nobody can use the certificate that was requested for it. Revoke it, then start again.`;
}
