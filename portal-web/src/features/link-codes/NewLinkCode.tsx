import { Text } from '@mantine/core';
import { linkCodeFacts } from '../../../../server/domain/sharing/linkCodeFacts.ts';
import { CopyableCode } from '../../ui/values/CopyableCode.tsx';
import { Identifier } from '../../ui/values/Identifier.tsx';
import { CopyButton } from '../../ui/values/CopyButton.tsx';
import { StatusBadge } from '../../ui/values/StatusBadge.tsx';
import { useNow } from '../../ui/time/useNow.ts';
import { sandboxClient } from '../integration/integrationQuery.ts';
import { keyNameOf } from '../integration/keyNameOf.ts';
import { useIntegration, type Service } from '../integration/useIntegration.ts';
import classes from './LinkCodes.module.css';
import { contentWords } from './linkCodeWords.ts';
import { countdown, redeemCommand } from './redeemCommand.ts';
import type { GeneratedLinkCode } from '../sandbox/sandboxMutations.ts';
import type { LinkCode } from '../sandbox/sandboxQueries.ts';

type NewLinkCodeProps = { generated: GeneratedLinkCode; state: LinkCode | undefined; service: Service };

const groups = ['first', 'middle', 'last'] as const;

/** The code that was just generated: its digits, the time left, the call that redeems it, and its state. */
export function NewLinkCode({ generated: { code, expiresAt }, state, service }: NewLinkCodeProps) {
  const client = sandboxClient(useIntegration().integration);
  const keyName = client ? keyNameOf(client) : '';
  const left = countdown(new Date(expiresAt), useNow(1000));
  const known = state?.state ?? 'generated';
  const now = known === 'generated' && left === null ? 'expired' : known;
  const { tone, word, isRedeemable } = linkCodeFacts[now];
  return (
    <section className={classes.fresh} aria-label="New link code" data-over={!isRedeemable || undefined}>
      <div className={classes.line}>
        {/* The groups are set apart by margins, not by characters, so that only the ten digits are selected and copied. */}
        <span className={classes.digits} role="img" aria-label={`Link code ${[...code].join(' ')}`}>
          {[code.slice(0, 3), code.slice(3, 6), code.slice(6)].map((part, index) => (
            <span key={groups[index]}>{part}</span>
          ))}
        </span>
        <CopyButton value={code} label="the link code" />
        <span role="status">
          <StatusBadge tone={tone}>{word}</StatusBadge>
        </span>
        {isRedeemable && (
          <Text span role="timer" aria-label="Time left" className={classes.timer}>
            {left}
          </Text>
        )}
      </div>
      {isRedeemable && (
        <>
          <Text size="sm" mb="xs">
            Shown only once. It is valid for ten minutes and can be redeemed once. Redeem it in the folder with <code>{keyName}.pem</code>:
          </Text>
          <CopyableCode value={redeemCommand(code, { ...service, keyName })} label="the redeem command" block />
        </>
      )}
      {now === 'redeemed' && state && (
        <Text size="sm" component="div">
          {contentWords(state)} were shared, in <Identifier value={state.connectionId ?? ''} label="the connection ID" />
        </Text>
      )}
      {now === 'expired' && (
        <Text size="sm">Ten minutes have passed. Your back end gets 404 link_code_not_redeemable. Generate another one.</Text>
      )}
      {now === 'unusable' && <Text size="sm">Five attempts to redeem this code failed, so it is blocked. Generate another one.</Text>}
    </section>
  );
}
