import { Alert, Anchor, Button, Checkbox, SegmentedControl, Stack, Text } from '@mantine/core';
import { IconCircleCheck } from '@tabler/icons-react';
import { type SubmitEvent, useState } from 'react';
import { Link } from 'react-router';
import { useMutation, useQuery } from 'urql';
import { Markdown } from '../../features/markdown/Markdown.tsx';
import { withoutTitle } from '../../features/markdown/withoutTitle.ts';
import { useSession } from '../../features/session/SessionContext.ts';
import { AcceptancesPanel } from '../../features/terms/AcceptancesPanel.tsx';
import { promises } from '../../features/terms/promises.ts';
import { TermsChanges } from '../../features/terms/TermsChanges.tsx';
import { type AcceptedTerms, acceptTermsMutation, type Terms, termsToAcceptQuery } from '../../features/terms/termsQueries.ts';
import { describeError } from '../../graphql/describeError.ts';
import { paths } from '../../paths.ts';
import { useFocusOnErrors } from '../../ui/forms/useFocusOnErrors.ts';
import { PageHeader } from '../../ui/layout/PageHeader.tsx';
import { ErrorMessage } from '../../ui/states/ErrorMessage.tsx';
import { Loaded } from '../../ui/states/Loaded.tsx';
import { Time } from '../../ui/time/Time.tsx';

/** Where an operator reads and accepts the current terms, and sees what was accepted before. */
export function Component() {
  const { viewer, refresh } = useSession();
  const last = viewer?.acceptedTermsVersion ?? null;
  const variables = { accepted: last ?? 0, hasAccepted: last !== null };
  const [result, read] = useQuery({ query: termsToAcceptQuery, variables, requestPolicy: 'cache-and-network' });
  return (
    <Loaded whole result={result} onRetry={() => read({ requestPolicy: 'network-only' })}>
      {({ currentTerms, accepted: before }) => {
        const accepted = last === currentTerms.version;
        return (
          <>
            <PageHeader
              title={accepted ? 'Integration Terms' : `Accept version ${currentTerms.version} of the Integration Terms`}
              documentTitle="Accept the Integration Terms"
              lead={
                accepted ? undefined : (
                  <>
                    Published <Time value={currentTerms.publishedAt} form="date" />. Until you accept it, you cannot create an integration,
                    submit one for review or activate one. Active integrations and all sandboxes keep running.
                  </>
                )
              }
            />
            <Stack gap="xl">
              {accepted ? (
                <Alert color="green" variant="outline" icon={<IconCircleCheck aria-hidden />} role="status">
                  You have accepted version {currentTerms.version}, the current version. There is nothing to do.{' '}
                  <Anchor component={Link} to={paths.terms(currentTerms.version)} inherit>
                    Read it again
                  </Anchor>{' '}
                  or go to{' '}
                  <Anchor component={Link} to={paths.integrations} inherit>
                    your integrations
                  </Anchor>
                  .
                </Alert>
              ) : (
                <AcceptTermsForm terms={currentTerms} accepted={before ?? null} onAccepted={refresh} />
              )}
              <div id="acceptances">
                <AcceptancesPanel />
              </div>
            </Stack>
          </>
        );
      }}
    </Loaded>
  );
}

const unchecked = { nonCommercial: 'Accept that the licence is non-commercial only.', attribution: 'Accept the attribution rules.' };

type AcceptTermsFormProps = {
  terms: Terms;
  /** The version that the reader accepted last, if there is one. */
  accepted: AcceptedTerms | null;
  onAccepted: () => void;
};

/** What has changed in the current terms, or all of them, with the two statements below. */
function AcceptTermsForm({ terms, accepted, onAccepted }: AcceptTermsFormProps) {
  const [{ fetching }, acceptTerms] = useMutation(acceptTermsMutation);
  const [stated, setStated] = useState({ nonCommercial: false, attribution: false });
  const [tried, setTried] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const { formElement, bringToErrors } = useFocusOnErrors();

  async function accept(event: SubmitEvent) {
    event.preventDefault();
    setProblem(null);
    setTried(true);
    if (!stated.nonCommercial || !stated.attribution) return bringToErrors();
    const { error } = await acceptTerms({ input: { version: terms.version, ...stated } });
    if (error) setProblem(describeError(error).message);
    else onAccepted();
  }

  return (
    <form ref={formElement} onSubmit={(event) => void accept(event)} noValidate>
      <Stack gap="lg">
        <TermsToRead terms={terms} accepted={accepted} />
        {problem && <ErrorMessage message={problem} />}
        {(['nonCommercial', 'attribution'] as const).map((name) => (
          <Checkbox
            key={name}
            {...promises[name]}
            checked={stated[name]}
            error={tried && !stated[name] && unchecked[name]}
            onChange={(event) => setStated({ ...stated, [name]: event.currentTarget.checked })}
          />
        ))}
        <Text size="sm" c="dimmed" maw={640}>
          Accepting records the version, the time and your IP address. It applies to this version only.
        </Text>
        <div>
          <Button type="submit" loading={fetching}>
            Accept version {terms.version}
          </Button>
        </div>
      </Stack>
    </form>
  );
}

/** The terms to accept: what has changed since the version that the reader accepted last, or the whole text. */
function TermsToRead({ terms, accepted }: { terms: Terms; accepted: AcceptedTerms | null }) {
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
