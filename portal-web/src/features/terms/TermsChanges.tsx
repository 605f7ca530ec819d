import { Text } from '@mantine/core';
import { differs, WordDiff } from '../../ui/text/WordDiff.tsx';
import { withoutTitle } from '../markdown/withoutTitle.ts';

/** What changes in the text of the terms from one version to the next. */
export function TermsChanges(versions: { before: string; after: string }) {
  const [before, after] = [wordsOf(versions.before), wordsOf(versions.after)];
  return differs({ before, after }) ? (
    <WordDiff before={before} after={after} />
  ) : (
    <Text c="dimmed">The text is the same, word for word.</Text>
  );
}

/** Emphasis is no word; as marks, it would only be in a reader's way. */
function wordsOf(markdown: string): string {
  return withoutTitle(markdown).replaceAll('**', '');
}
