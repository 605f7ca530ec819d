import { SegmentedControl, Stack } from '@mantine/core';
import { useState } from 'react';
import { Markdown } from '../markdown/Markdown.tsx';
import { withoutTitle } from '../markdown/withoutTitle.ts';
import { TermsChanges } from './TermsChanges.tsx';
import type { AcceptedTerms, Terms } from './termsQueries.ts';

/** The terms to accept: what has changed since the version that the reader accepted last, or the whole text. */
export function TermsToRead({ terms, accepted }: { terms: Terms; accepted: AcceptedTerms | null }) {
  const [view, setView] = useState('changes');
  const whole = <Markdown source={withoutTitle(terms.markdown)} />;
  if (!accepted) return whole;
  return (
    <Stack gap="md">
      <SegmentedControl
        aria-label="What is shown"
        w="fit-content"
        maw="100%"
        value={view}
        onChange={setView}
        data={[
          { value: 'changes', label: `Changes since version ${accepted.version}` },
          { value: 'whole', label: 'Whole text' },
        ]}
      />
      {view === 'whole' ? (
        whole
      ) : (
        <section aria-label={`Changes since version ${accepted.version}`}>
          <TermsChanges before={accepted.markdown} after={terms.markdown} />
        </section>
      )}
    </Stack>
  );
}
