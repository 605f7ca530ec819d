import { Button, Group, SegmentedControl, Stack, Text, Textarea } from '@mantine/core';
import { useState, type SubmitEvent } from 'react';
import type { DescribedError } from '../../graphql/describeError.ts';
import { LeaveGuard } from '../../ui/forms/LeaveGuard.tsx';
import { ErrorMessage } from '../../ui/states/ErrorMessage.tsx';
import { ShortText } from '../../ui/forms/ShortText.tsx';
import { Markdown } from '../markdown/Markdown.tsx';
import { withoutTitle } from '../markdown/withoutTitle.ts';
import { TermsChanges } from './TermsChanges.tsx';
import { PublishTermsDialog } from './PublishTermsDialog.tsx';
import classes from './PublishTermsForm.module.css';
import type { Terms } from './termsQueries.ts';

const mostCharacters = 40_000;

/** A form for the next version. It starts with the text of the current one, and shows what operators will read and what has changed. */
export function PublishTermsForm({ current, onPublished }: { current: Terms; onPublished: (version: number) => void }) {
  const [title, setTitle] = useState(current.title);
  const [markdown, setMarkdown] = useState(current.markdown);
  const [view, setView] = useState('write');
  const [asking, setAsking] = useState(false);
  const [refusal, setRefusal] = useState<DescribedError | null>(null);
  const unchanged = title.trim() === current.title && markdown.trim() === current.markdown.trim();

  function ask(event: SubmitEvent) {
    event.preventDefault();
    setRefusal(null);
    setAsking(true);
  }

  function refuse(error: DescribedError) {
    setRefusal(error);
    if (error.fields['title'] || error.fields['markdown']) setView('write');
  }

  return (
    <form onSubmit={ask} noValidate>
      <LeaveGuard unsaved={!unchanged} />
      <Stack gap="md">
        {refusal && <ErrorMessage message={refusal.message} />}
        <ShortText
          label="Title"
          value={title}
          longest={120}
          error={refusal?.fields['title']}
          onChange={(event) => setTitle(event.currentTarget.value)}
        />
        <SegmentedControl
          aria-label="What is shown"
          w="fit-content"
          value={view}
          onChange={setView}
          data={[
            { value: 'write', label: 'Write' },
            { value: 'preview', label: 'Preview' },
            { value: 'changes', label: 'Changes' },
          ]}
        />
        {view === 'write' && (
          <Textarea
            label="Text, in Markdown"
            description={`Headings, paragraphs, lists, tables and links. ${[...markdown].length.toLocaleString('en')} of ${mostCharacters.toLocaleString('en')} characters.`}
            className={classes.text}
            value={markdown}
            rows={18}
            error={refusal?.fields['markdown']}
            onChange={(event) => setMarkdown(event.currentTarget.value)}
          />
        )}
        {view === 'preview' && (
          <section aria-label="Preview" className={classes.preview}>
            <Markdown source={withoutTitle(markdown)} under={2} />
          </section>
        )}
        {view === 'changes' && (
          <section aria-label={`Changes to version ${current.version}`} className={classes.preview}>
            <TermsChanges before={current.markdown} after={markdown} />
          </section>
        )}
        <Group gap="sm">
          <Button type="submit" disabled={unchanged}>
            Publish version {current.version + 1} …
          </Button>
          {unchanged && (
            <Text size="sm" c="dimmed">
              This is version {current.version}, unchanged.
            </Text>
          )}
        </Group>
      </Stack>
      {asking && (
        <PublishTermsDialog
          title={title.trim()}
          markdown={markdown}
          current={current}
          onClose={() => setAsking(false)}
          onPublished={onPublished}
          onRefused={refuse}
        />
      )}
    </form>
  );
}
