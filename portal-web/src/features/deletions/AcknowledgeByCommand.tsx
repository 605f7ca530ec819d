import { Text } from '@mantine/core';
import { Fold } from '../../ui/layout/Fold.tsx';
import { CopyableCode } from '../../ui/values/CopyableCode.tsx';
import type { CallFacts } from '../integration/firstCallCommands.ts';
import { acknowledgementCommand, acknowledgementLoop } from './acknowledgementCommand.ts';

type AcknowledgeByCommandProps = {
  /** The revocations that the API lets the back end acknowledge, those that were chosen if any were. */
  revocationIds: readonly string[];
  chosen: boolean;
  facts: CallFacts;
};

/** The command that acknowledges one deletion, or all of several one after the other. */
export function AcknowledgeByCommand({ revocationIds, chosen, facts }: AcknowledgeByCommandProps) {
  const [first, ...others] = revocationIds;
  if (first === undefined) return null;
  const which = others.length === 0 ? 'it' : `${chosen ? 'the chosen' : 'all'} ${revocationIds.length}`;
  return (
    <Fold summary={`Acknowledge ${which} from your back end`}>
      <Text size="sm" mb="xs" maw={640}>
        Run this once every copy is deleted. The <code>Idempotency-Key</code> stays the same for each, so you can repeat it safely.
      </Text>
      <CopyableCode
        value={others.length === 0 ? acknowledgementCommand(first, facts) : acknowledgementLoop(revocationIds, facts)}
        label="the acknowledgement command"
        block
      />
    </Fold>
  );
}
