import { Button, Checkbox, Stack, Text } from '@mantine/core';
import { useState, type SubmitEvent } from 'react';
import { useMutation } from 'urql';
import { describeError } from '../../graphql/describeError.ts';
import { ErrorMessage } from '../../ui/states/ErrorMessage.tsx';
import { useFocusOnErrors } from '../../ui/forms/useFocusOnErrors.ts';
import { Markdown } from '../markdown/Markdown.tsx';
import { withoutTitle } from '../markdown/withoutTitle.ts';
import { promises } from './promises.ts';
import { acceptTermsMutation, type Terms } from './termsQueries.ts';

const unchecked = { nonCommercial: 'Accept that the licence is non-commercial only.', attribution: 'Accept the attribution rules.' };

/** The full current terms, with the two statements below them. */
export function AcceptTermsForm({ terms, onAccepted }: { terms: Terms; onAccepted: () => void }) {
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
        <Markdown source={withoutTitle(terms.markdown)} />
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
