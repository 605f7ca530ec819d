import { Anchor, Checkbox, ScrollArea, Stack, Text } from '@mantine/core';
import { Link } from 'react-router';
import { paths } from '../../paths.ts';
import type { ResultOf } from '../../graphql/graphql.ts';
import { Markdown } from '../markdown/Markdown.tsx';
import type { currentTermsQuery } from '../terms/termsQueries.ts';
import { withoutTitle } from '../markdown/withoutTitle.ts';
import classes from './steps.module.css';
import type { DraftForm } from './useDraft.ts';

type TermsStepProps = { form: DraftForm; terms: ResultOf<typeof currentTermsQuery>['currentTerms']; accepted: boolean };

/** The terms in full, and the two promises that matter most, each to be made by itself. */
export function TermsStep({ form, terms, accepted }: TermsStepProps) {
  return (
    <Stack gap="md">
      <Text c="dimmed" maw={640}>
        {terms.title}, version {terms.version}.{' '}
        {accepted
          ? 'You have accepted this version before; each integration makes the two promises anew.'
          : 'Going on accepts this version.'}{' '}
        <Anchor component={Link} to={paths.terms(terms.version)} target="_blank" inherit>
          Open in a new tab
        </Anchor>
      </Text>
      <ScrollArea.Autosize
        mah={360}
        className={classes.terms}
        type="auto"
        offsetScrollbars
        viewportProps={{ tabIndex: 0, 'aria-label': terms.title, role: 'region' }}
      >
        <Markdown source={withoutTitle(terms.markdown)} under={2} />
      </ScrollArea.Autosize>
      <Checkbox
        label="I use the data non-commercially"
        description="No advertising, sponsoring, affiliate links, subscriptions, paid access, lead generation or resale without a written agreement of its own. I tell the service before that changes."
        {...form.getInputProps('nonCommercial', { type: 'checkbox' })}
      />
      <Checkbox
        label="I follow the attribution and app-link rules"
        description="A readable credit and app link stand wherever the data is shown; in mixed output, at every single record that comes from the service."
        {...form.getInputProps('attribution', { type: 'checkbox' })}
      />
    </Stack>
  );
}
