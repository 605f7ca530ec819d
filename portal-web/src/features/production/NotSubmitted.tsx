import { Text } from '@mantine/core';
import { Panel } from '../../ui/layout/Panel.tsx';
import { counted } from '../../ui/text/counted.ts';

/** The form of a submission for those who can only look: how far its owner has come. */
export function NotSubmitted({ confirmed }: { confirmed: number }) {
  return (
    <Panel title="Not submitted yet">
      <Text>
        The owner prepares the submission; {counted(confirmed, 'point')} of the checklist {confirmed === 1 ? 'is' : 'are'} confirmed so far.
      </Text>
    </Panel>
  );
}
