import { Button, Stack, Text } from '@mantine/core';
import { useState, type SubmitEvent } from 'react';
import type { OperationResult } from 'urql';
import { describeError, type DescribedError } from '../../graphql/describeError.ts';
import { LongText } from '../../ui/forms/LongText.tsx';
import { ErrorMessage } from '../../ui/states/ErrorMessage.tsx';
import { Time } from '../../ui/time/Time.tsx';
import classes from './review.module.css';
import type { Submission } from './reviewQueries.ts';

type Message = Submission['messages'][number];

/** Questions and answers, oldest first. `reader` is the role of the person who reads them. */
export function Thread({ messages, reader }: { messages: readonly Message[]; reader: Message['authorRole'] }) {
  return (
    <ol className={classes.thread} aria-label="Questions and answers">
      {messages.map(({ id, authorRole, body, writtenAt }) => (
        <li key={id} className={classes.message}>
          <Text size="sm" c="dimmed" component="div">
            {authorWords(authorRole, reader)}, <Time value={writtenAt} />
          </Text>
          <p>{body}</p>
        </li>
      ))}
    </ol>
  );
}

function authorWords(author: Message['authorRole'], reader: Message['authorRole']): string {
  if (author === 'reviewer') return reader === 'reviewer' ? 'Reviewers' : 'A reviewer';
  return reader === 'operator' ? 'You' : 'The owner';
}

type MessageFormProps = {
  /** The ID of its field. */
  id?: string;
  /** Where the text is kept. */
  draft: { body: string; onChange: (body: string) => void };
  label: string;
  description: string;
  button: string;
  /** Whether writing here is the main thing to do on the page. */
  main?: boolean;
  send: (body: string) => Promise<OperationResult<unknown>>;
  onSent: () => void;
};

/** A form for writing in the thread. */
export function MessageForm({ id, draft, label, description, button, main = false, send, onSent }: MessageFormProps) {
  const { body, onChange: setBody } = draft;
  const [problem, setProblem] = useState<DescribedError | null>(null);
  const [busy, setBusy] = useState(false);

  async function submit(event: SubmitEvent) {
    event.preventDefault();
    setBusy(true);
    setProblem(null);
    const { error } = await send(body);
    setBusy(false);
    if (error) return setProblem(describeError(error));
    setBody('');
    onSent();
  }

  return (
    <form onSubmit={(event) => void submit(event)} noValidate>
      <Stack gap="sm">
        {problem && !problem.fields['body'] && <ErrorMessage message={problem.message} />}
        <LongText
          id={id}
          label={label}
          description={description}
          minRows={2}
          maxRows={12}
          longest={2000}
          value={body}
          onChange={(event) => setBody(event.currentTarget.value)}
          error={problem?.fields['body']}
        />
        <Button type="submit" w="fit-content" loading={busy} variant={main ? 'filled' : 'default'}>
          {button}
        </Button>
      </Stack>
    </form>
  );
}
