import { Button, Checkbox, Stack, Text } from '@mantine/core';
import { useState, type SubmitEvent } from 'react';
import { useMutation } from 'urql';
import { describeError } from '../../graphql/describeError.ts';
import { ErrorMessage } from '../../ui/states/ErrorMessage.tsx';
import { useFocusOnErrors } from '../../ui/forms/useFocusOnErrors.ts';
import { promises } from './promises.ts';
import { TermsToRead } from './TermsToRead.tsx';
import { acceptTermsMutation, type AcceptedTerms, type Terms } from './termsQueries.ts';

const unchecked = { nonCommercial: 'Accept that the licence is non-commercial only.', attribution: 'Accept the attribution rules.' };

type AcceptTermsFormProps = {
  terms: Terms;
  /** The version that the reader accepted last, if there is one. */
  accepted: AcceptedTerms | null;
  onAccepted: () => void;
};

/** What has changed in the current terms, or all of them, with the two statements below. */
export function AcceptTermsForm({ terms, accepted, onAccepted }: AcceptTermsFormProps) {
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
