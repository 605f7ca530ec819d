import { Anchor, Button, Group } from '@mantine/core';
import { useState } from 'react';

/** Copies the open page as Markdown, for a note, an issue or an assistant, and leads to it as a file. */
export function CopyPage({ path }: { path: string }) {
  const [outcome, setOutcome] = useState<'copied' | 'failed' | null>(null);
  const twin = `${path}.md`;

  async function copy() {
    const text = fetch(twin).then((answer) => (answer.ok ? answer.blob() : Promise.reject(new Error(`${answer.status}`))));
    try {
      // The browser waits for the text, so that the click still counts once it is there.
      await navigator.clipboard.write([new ClipboardItem({ 'text/plain': text.then((blob) => new Blob([blob], { type: 'text/plain' })) })]);
      setOutcome('copied');
    } catch {
      setOutcome('failed');
    }
  }

  return (
    <Group gap="sm">
      <Button size="xs" variant="default" onClick={() => void copy()}>
        Copy page
      </Button>
      <Anchor href={twin} size="sm">
        View as Markdown
      </Anchor>
      <span role="status">
        {outcome === 'copied' ? 'Copied.' : outcome === 'failed' ? 'It could not be copied. Open it as Markdown.' : ''}
      </span>
    </Group>
  );
}
