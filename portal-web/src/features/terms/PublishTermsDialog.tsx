import { Button, Group, List, Modal, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { useMutation } from 'urql';
import type { DescribedError } from '../../graphql/describeError.ts';
import { useFreshPasskey } from '../passkey/useFreshPasskey.ts';
import classes from './PublishTermsForm.module.css';
import { TermsChanges } from './TermsChanges.tsx';
import { publishTermsMutation, type Terms } from './termsQueries.ts';

type PublishTermsDialogProps = {
  title: string;
  markdown: string;
  current: Terms;
  onClose: () => void;
  onPublished: (version: number) => void;
  onRefused: (error: DescribedError) => void;
};

/** Asks for confirmation, and says what changes in the text and what publishing does. */
export function PublishTermsDialog({ title, markdown, current, onClose, onPublished, onRefused }: PublishTermsDialogProps) {
  const [, publishTerms] = useMutation(publishTermsMutation);
  const replaces = current.version;
  const confirmed = useFreshPasskey();
  const [busy, setBusy] = useState(false);

  async function publish() {
    setBusy(true);
    const { data, error } = await confirmed(() => publishTerms({ input: { title, markdown, replaces } }));
    setBusy(false);
    onClose();
    if (error) onRefused(error);
    else onPublished(data.publishTerms.version);
  }

  return (
    <Modal
      size="lg"
      opened
      onClose={onClose}
      title={`Publish version ${replaces + 1} of the terms?`}
      closeButtonProps={{ 'aria-label': 'Close' }}
    >
      <Stack gap="md">
        <Text fw={600} style={{ overflowWrap: 'anywhere' }}>
          {title}
        </Text>
        <section aria-label={`Changes to version ${replaces}`} className={classes.changes}>
          <TermsChanges before={current.markdown} after={markdown} />
        </section>
        <List spacing="xs">
          <List.Item>It takes effect at once, for everybody. It cannot be withdrawn or edited, only replaced by another version.</List.Item>
          <List.Item>Every operator must accept it before creating, submitting or activating anything.</List.Item>
          <List.Item>Every operator is notified by email. Active integrations keep running.</List.Item>
        </List>
        <Group justify="flex-end" gap="sm">
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button loading={busy} onClick={() => void publish()}>
            Publish version {replaces + 1}
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}
