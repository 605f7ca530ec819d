import { Anchor, Checkbox, Stack, Text } from '@mantine/core';
import { Link } from 'react-router';
import { paths } from '../../paths.ts';
import { Markdown } from '../markdown/Markdown.tsx';
import { promises } from '../terms/promises.ts';
import type { Terms } from '../terms/termsQueries.ts';
import { withoutTitle } from '../markdown/withoutTitle.ts';
import classes from './steps.module.css';
import type { DraftForm } from './useDraft.ts';

type TermsStepProps = { form: DraftForm; terms: Terms; accepted: boolean };

/** The full terms, and the two most important promises, each with a checkbox of its own. */
export function TermsStep({ form, terms, accepted }: TermsStepProps) {
  return (
    <Stack gap="md">
      <Text c="dimmed" maw={640}>
        {terms.title}, version {terms.version}.{' '}
        {accepted
          ? 'You have already accepted this version. You confirm the two promises below for each integration.'
          : 'By continuing you accept this version.'}{' '}
        <Anchor component={Link} to={paths.terms(terms.version)} target="_blank" inherit>
          Open in a new tab
        </Anchor>
      </Text>
      {/* Anyone who has no wheel scrolls it with the arrow keys. */}
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex */}
      <div role="region" aria-label={terms.title} tabIndex={0} className={classes.terms}>
        <Markdown source={withoutTitle(terms.markdown)} under={2} />
      </div>
      <Checkbox {...promises.nonCommercial} {...form.getInputProps('nonCommercial', { type: 'checkbox' })} />
      <Checkbox {...promises.attribution} {...form.getInputProps('attribution', { type: 'checkbox' })} />
    </Stack>
  );
}
