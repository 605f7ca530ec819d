import { Anchor, Button, Checkbox, Stack, Text, TextInput } from '@mantine/core';
import { useState, type SubmitEvent } from 'react';
import { Link } from 'react-router';
import { useMutation } from 'urql';
import type { DescribedError } from '../../graphql/describeError.ts';
import { paths } from '../../paths.ts';
import { ErrorMessage } from '../../ui/states/ErrorMessage.tsx';
import { Panel } from '../../ui/layout/Panel.tsx';
import { useFocusOnErrors } from '../../ui/forms/useFocusOnErrors.ts';
import type { Integration } from '../integration/integrationQuery.ts';
import { useFreshPasskey } from '../passkey/useFreshPasskey.ts';
import classes from './review.module.css';
import { submitForReviewMutation } from './reviewMutations.ts';
import type { OwnReview, Submission } from './reviewQueries.ts';
import { ReviewTimes } from './ReviewTimes.tsx';

type SubmitPanelProps = {
  integration: Integration;
  checklist: OwnReview['reviewChecklist'];
  /** The last submission. Its review address is a good start for the next one, but everything must be confirmed again. */
  last: Submission | null;
  onChanged: () => void;
};

type Item = OwnReview['reviewChecklist'][number]['item'];

/** Submits the profile for review, with a review address and a confirmation for each item of the checklist. */
export function SubmitPanel({ integration, checklist, last, onChanged }: SubmitPanelProps) {
  const [, submitForReview] = useMutation(submitForReviewMutation);
  const confirmed = useFreshPasskey();
  const [reviewUrl, setReviewUrl] = useState(last?.reviewUrl ?? '');
  const [ticked, setTicked] = useState<ReadonlySet<Item>>(new Set());
  const [words, setWords] = useState<Readonly<Partial<Record<Item, string>>>>(wordsOf(last));
  const [problem, setProblem] = useState<DescribedError | null>(null);
  const [tried, setTried] = useState(false);
  const [busy, setBusy] = useState(false);
  const { formElement, bringToErrors } = useFocusOnErrors();
  const missing = checklist.filter(({ item }) => !ticked.has(item)).length;

  function tick(item: Item, on: boolean) {
    const next = new Set(ticked);
    if (on) next.add(item);
    else next.delete(item);
    setTicked(next);
  }

  async function submit(event: SubmitEvent) {
    event.preventDefault();
    setTried(true);
    setProblem(null);
    if (missing > 0 || reviewUrl.trim() === '') return bringToErrors();
    setBusy(true);
    const confirmations = checklist.map(({ item }) => ({ item, confirmed: ticked.has(item), word: words[item]?.trim() || null }));
    const profileVersion = integration.profile.version;
    const input = { integrationId: integration.id, profileVersion, reviewUrl: reviewUrl.trim(), confirmations };
    const { error } = await confirmed(() => submitForReview({ input }));
    setBusy(false);
    setProblem(error ?? null);
    if (error) bringToErrors();
    // After a refusal, too: the profile, its logo or the terms may have changed.
    onChanged();
  }

  return (
    <Panel
      title={last ? 'Submit again' : 'Submit for production review'}
      lead={
        <>
          Reviewers check profile version {integration.profile.version} and its scopes, the address below, and what your sandbox client has
          done. The profile is frozen until they decide or you withdraw the submission. You will be asked for your passkey.
          <ReviewTimes />
        </>
      }
    >
      <form ref={formElement} onSubmit={(event) => void submit(event)} noValidate>
        <Stack gap="lg">
          {problem && !problem.fields['reviewUrl'] && <ErrorMessage message={problem.fields['confirmations'] ?? problem.message} />}
          <TextInput
            label="Review address"
            description="A public HTTPS page where reviewers can see the integration working."
            type="url"
            inputMode="url"
            placeholder="https://"
            required
            maxLength={2048}
            value={reviewUrl}
            onChange={(event) => setReviewUrl(event.currentTarget.value)}
            error={
              problem?.fields['reviewUrl'] ??
              (tried && reviewUrl.trim() === '' && 'Enter the address where reviewers can see the integration.')
            }
          />
          <ul className={classes.items} aria-label="Checklist">
            {checklist.map(({ item, title, statement }) => (
              <li key={item} className={classes.item}>
                <Checkbox
                  label={title}
                  description={statement}
                  checked={ticked.has(item)}
                  onChange={(event) => tick(item, event.currentTarget.checked)}
                  error={tried && !ticked.has(item) && 'Confirm this item once it is true.'}
                />
                <TextInput
                  mt="sm"
                  aria-label={`Note on: ${title}`}
                  placeholder="Note for reviewers (optional)"
                  maxLength={500}
                  value={words[item] ?? ''}
                  onChange={(event) => setWords({ ...words, [item]: event.currentTarget.value })}
                />
              </li>
            ))}
          </ul>
          <Text size="sm" role="status">
            {missing === 0 ? 'Every item is confirmed.' : `${missing} of ${checklist.length} items still need to be confirmed.`}
          </Text>
          <Button type="submit" w="fit-content" loading={busy}>
            Submit for review
          </Button>
          <Text size="sm" c="dimmed">
            Need to change the profile?{' '}
            <Anchor component={Link} to={paths.profile(integration.slug)}>
              Edit it first
            </Anchor>
            .
          </Text>
        </Stack>
      </form>
    </Panel>
  );
}

function wordsOf(submission: Submission | null): Partial<Record<Item, string>> {
  return Object.fromEntries(submission?.checklist.map(({ item, word }) => [item, word ?? '']) ?? []);
}
