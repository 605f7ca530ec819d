import { Anchor, Button, Checkbox, Stack, Text } from '@mantine/core';
import { type SubmitEvent, useId, useState } from 'react';
import { Link } from 'react-router';
import { useMutation } from 'urql';
import type { DescribedError } from '../../../graphql/describeError.ts';
import { type IntegrationPaths, paths } from '../../../paths.ts';
import { ShortText } from '../../../ui/forms/ShortText.tsx';
import { useFocusOnErrors } from '../../../ui/forms/useFocusOnErrors.ts';
import { Fold } from '../../../ui/layout/Fold.tsx';
import { Panel } from '../../../ui/layout/Panel.tsx';
import { ErrorMessage } from '../../../ui/states/ErrorMessage.tsx';
import { counted } from '../../../ui/text/counted.ts';
import { Time } from '../../../ui/time/Time.tsx';
import { StatusBadge } from '../../../ui/values/StatusBadge.tsx';
import type { Integration } from '../../../features/integration/integrationQuery.ts';
import { useIntegrationPaths } from '../../../features/integration/ownerView.ts';
import { useFreshPasskey } from '../../../features/passkey/useFreshPasskey.ts';
import type { Check } from '../../../features/review/checkFragment.ts';
import { Words } from '../../../features/review/Checklist.tsx';
import { submitForReviewMutation } from '../../../features/review/reviewMutations.ts';
import { reviewTimesWords } from '../../../features/review/reviewTimesWords.ts';
import { notesLabel } from '../../../features/review/reviewWords.ts';
import { useSession } from '../../../features/session/SessionContext.ts';
import { TermsLink } from './TermsLink.tsx';
import { blockingChecks } from '../../../features/review/checkWords.ts';
import classes from './production.module.css';
import type { ChecklistItem, OwnSubmission, Production } from './productionQuery.ts';
import { confirmationsOf, type FormValues, type Item, stillToDo, unmetItems } from './submissionForm.ts';
import type { Known, SubmissionDraft } from './useSubmissionDraft.ts';

type SubmitStepProps = {
  integration: Integration;
  checklist: readonly ChecklistItem[];
  times: Production['reviewTimes'];
  production: Production['integration'];
  last: OwnSubmission | null;
  known: Known;
  draft: SubmissionDraft;
  onSubmitted: () => void;
};

/** The tasks before a submission. What is done stays visible, and what is written is saved; the button works once everything is there. */
export function SubmitStep({ integration, checklist, times, production, last, known, draft, onSubmitted }: SubmitStepProps) {
  const to = useIntegrationPaths();
  const { id, profile } = integration;
  const [, submitForReview] = useMutation(submitForReviewMutation);
  const confirmed = useFreshPasskey();
  const { refresh } = useSession();
  const [problem, setProblem] = useState<DescribedError | null>(null);
  const [busy, setBusy] = useState(false);
  const { formElement, bringToErrors } = useFocusOnErrors();
  const todoId = useId();
  const readyId = useId();
  const values = draft.valuesFor(known);
  const change = (changes: Partial<FormValues>) => draft.change(known, changes);
  const unmet = unmetItems(last);
  const blocking = blockingChecks(production.submissionChecks);
  const todo = stillToDo({ total: checklist.length, values, blocking });

  function confirm(item: Item, on: boolean) {
    const ticked = new Set(values.ticked);
    if (on) ticked.add(item);
    else ticked.delete(item);
    change({ ticked });
  }

  async function submit(event: SubmitEvent) {
    event.preventDefault();
    if (todo.length > 0) return;
    setProblem(null);
    setBusy(true);
    draft.hold();
    const confirmations = confirmationsOf(checklist, values);
    const input = { integrationId: id, profileVersion: profile.version, reviewUrl: values.reviewUrl.trim(), confirmations };
    const { error } = await confirmed(() => submitForReview({ input }));
    setBusy(false);
    setProblem(error ?? null);
    if (error) {
      change({});
      bringToErrors();
      refresh();
    } else draft.forget();
    // After a refusal, too: the profile, its logo or the terms may have changed.
    onSubmitted();
  }

  const tasks = (items: readonly ChecklistItem[]) =>
    items.map((item) => (
      <ChecklistTask
        key={item.item}
        item={item}
        confirmed={values.ticked.has(item.item)}
        word={values.words[item.item] ?? ''}
        unmet={unmet.has(item.item) ? (last?.checklist.find((each) => each.item === item.item)?.verdict?.note ?? '') : null}
        place={mendingPlace(item.item, to)}
        onConfirm={(on) => confirm(item.item, on)}
        onWord={(word) => change({ words: { ...values.words, [item.item]: word } })}
      />
    ));
  const asked = unmet.size > 0 ? checklist.filter(({ item }) => unmet.has(item)) : checklist;
  const asBefore = checklist.filter((item) => !asked.includes(item));

  return (
    <Panel
      title={last ? 'Submit again' : 'Submit for production review'}
      lead={
        <>
          <Text inherit fw={650} c="var(--mantine-color-text)" mb={todo.length > 0 ? 4 : 0} role="status" id={todoId}>
            {todo.length > 0 && `Still to do: ${todo.join(', ')}.`}
          </Text>
          Reviewers check profile version {profile.version}, the address below and what your sandbox client has done. The profile is frozen
          until they decide or you withdraw it, so{' '}
          <Anchor component={Link} to={to.profile()} inherit>
            edit it first
          </Anchor>{' '}
          if you need to. {reviewTimesWords(times)}
        </>
      }
    >
      <form ref={formElement} onSubmit={(event) => void submit(event)} noValidate>
        <Stack gap="sm">
          {last?.decisionNotes && <Words label={notesLabel(last)} text={last.decisionNotes} />}
          {problem && !problem.fields['reviewUrl'] && <ErrorMessage message={problem.fields['confirmations'] ?? problem.message} />}
          {problem && <TermsLink />}
          <ul className={classes.tasks} aria-label="Before you start">
            <ServiceTask
              check={production.submissionChecks.find(({ check }) => check === 'terms')}
              to={paths.acceptTerms}
              label="Go to the terms"
            />
            <ServiceTask
              check={production.submissionChecks.find(({ check }) => check === 'logo')}
              to={to.profile()}
              label="Go to the profile"
            />
          </ul>
          <ShortText
            label="Review address"
            description="A public HTTPS page where reviewers can see the integration working."
            type="url"
            inputMode="url"
            placeholder="https://"
            required
            longest={2048}
            value={values.reviewUrl}
            onChange={(event) => change({ reviewUrl: event.currentTarget.value })}
            error={problem?.fields['reviewUrl']}
          />
          <ul className={classes.tasks} aria-label="Checklist">
            {tasks(asked)}
          </ul>
          {asBefore.length > 0 && (
            <Fold summary={`${counted(asBefore.length, 'point')} confirmed as before`}>
              <ul className={classes.tasks} aria-label="Confirmed as before">
                {tasks(asBefore)}
              </ul>
            </Fold>
          )}
          <div className={classes.submit}>
            <Button
              type="submit"
              loading={busy}
              aria-disabled={todo.length > 0}
              data-disabled={todo.length > 0 || undefined}
              aria-describedby={`${todoId} ${readyId}`}
            >
              Submit for review
            </Button>
            <div>
              <Text size="sm" role="status" id={readyId}>
                {todo.length > 0
                  ? 'You can submit once everything under “Still to do” is done.'
                  : 'Ready to submit. You will be asked for your passkey.'}
              </Text>
              <Text size="sm" c="dimmed" role="status">
                {draft.savedAt && (
                  <>
                    Saved <Time value={draft.savedAt} />.
                  </>
                )}
              </Text>
            </div>
          </div>
        </Stack>
      </form>
    </Panel>
  );
}

/** The checks that the form shows as tasks. */
export const checksAsTasks: readonly Check['check'][] = ['terms', 'logo'];

/** Something that is done elsewhere; the service knows whether it is. */
function ServiceTask({ check, to, label }: { check: Check | undefined; to: string; label: string }) {
  if (!check) return null;
  const done = check.outcome === 'passed';
  return (
    <li className={classes.task} aria-label={check.title}>
      <Text size="sm" component="div">
        {check.found}{' '}
        {!done && (
          <Anchor component={Link} to={to} inherit>
            {label}
          </Anchor>
        )}
      </Text>
      <div className={classes.taskBadge}>
        <StatusBadge tone={done ? 'good' : 'waiting'}>{done ? 'Done' : 'To do'}</StatusBadge>
      </div>
    </li>
  );
}

/** The tab of the portal that helps with an item of the checklist, if one does. */
function mendingPlace(item: Item, to: IntegrationPaths): { label: string; to: string } | null {
  switch (item) {
    case 'attribution':
    case 'mixedSources':
    case 'footerBadge':
    case 'linkingPage':
      return { label: 'Copy it from the kit', to: to.kit() };
    case 'privacy':
    case 'terms':
    case 'support':
      return { label: 'Edit the profile', to: to.profile() };
    case 'deletion':
      return { label: 'Try a deletion', to: to.sandbox() };
    case 'noMonetization':
      return null;
  }
}

type ChecklistTaskProps = {
  item: ChecklistItem;
  confirmed: boolean;
  word: string;
  /** What the reviewers wrote about it, if they found it not met. */
  unmet: string | null;
  /** Where it can be mended. */
  place: { label: string; to: string } | null;
  onConfirm: (on: boolean) => void;
  onWord: (word: string) => void;
};

/** One item of the checklist to confirm, with a note if there is something to say about it. */
function ChecklistTask({ item: { title, statement }, confirmed, word, unmet, place, onConfirm, onWord }: ChecklistTaskProps) {
  const [noting, setNoting] = useState(word !== '');
  return (
    <li className={classes.task} aria-label={title}>
      <Checkbox
        label={unmet === null ? title : `${title}: I have changed it`}
        description={statement}
        checked={confirmed}
        onChange={(event) => onConfirm(event.currentTarget.checked)}
      />
      <div className={classes.taskActs}>
        {place && unmet === null && (
          <Button component={Link} to={place.to} variant="subtle" size="xs" aria-label={`${place.label}: ${title}`}>
            {place.label}
          </Button>
        )}
        {!noting && (
          <Button variant="subtle" size="xs" aria-label={`Add a note on: ${title}`} onClick={() => setNoting(true)}>
            Add a note
          </Button>
        )}
      </div>
      {unmet !== null && (
        <div className={classes.note}>
          <Words label="Reviewer’s note" text={unmet} />
          {place && (
            <Text size="sm" mt={4}>
              <Anchor component={Link} to={place.to} inherit>
                {place.label}
              </Anchor>
            </Text>
          )}
        </div>
      )}
      {noting && (
        <div className={classes.note}>
          <ShortText
            size="xs"
            aria-label={`Note on: ${title}`}
            placeholder="Note for reviewers (optional)"
            longest={500}
            value={word}
            onChange={(event) => onWord(event.currentTarget.value)}
          />
        </div>
      )}
    </li>
  );
}
