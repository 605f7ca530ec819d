import { Button, SimpleGrid, Stack, Textarea, TextInput, Title } from '@mantine/core';
import { useState, type SubmitEvent } from 'react';
import { useMutation } from 'urql';
import type { DescribedError } from '../../graphql/describeError.ts';
import { ErrorMessage } from '../../ui/states/ErrorMessage.tsx';
import { useFreshPasskey } from '../passkey/useFreshPasskey.ts';
import { recordCommercialAgreementMutation } from './businessModelQuery.ts';

const empty = { reference: '', summary: '', validFrom: '', validUntil: '' };

/** Records a written agreement for an integration. */
export function AgreementForm({ integrationId, onRecorded }: { integrationId: string; onRecorded: () => void }) {
  const [, recordCommercialAgreement] = useMutation(recordCommercialAgreementMutation);
  const confirmed = useFreshPasskey();
  const [values, setValues] = useState(empty);
  const [refusal, setRefusal] = useState<DescribedError | null>(null);
  const [busy, setBusy] = useState(false);
  const set = (name: keyof typeof empty) => (event: { currentTarget: { value: string } }) =>
    setValues({ ...values, [name]: event.currentTarget.value });
  const field = (name: keyof typeof empty) => ({ value: values[name], error: refusal?.fields[name], onChange: set(name) });

  async function submit(event: SubmitEvent) {
    event.preventDefault();
    setBusy(true);
    setRefusal(null);
    const input = { ...values, integrationId, validUntil: values.validUntil || null };
    const { error } = await confirmed(() => recordCommercialAgreement({ input }));
    setBusy(false);
    if (error) return setRefusal(error);
    setValues(empty);
    onRecorded();
  }

  return (
    <form onSubmit={(event) => void submit(event)} noValidate>
      <Stack gap="sm">
        <Title order={3}>Record an agreement</Title>
        {refusal && Object.keys(refusal.fields).length === 0 && <ErrorMessage message={refusal.message} />}
        <TextInput label="Reference" description="Where the written agreement is filed." maxLength={120} {...field('reference')} />
        <Textarea
          label="Summary"
          description="What it allows. The owner reads it."
          maxLength={2_000}
          autosize
          minRows={2}
          maxRows={10}
          {...field('summary')}
        />
        <SimpleGrid cols={{ base: 1, sm: 2 }}>
          <TextInput type="date" label="First day" description="Starts at 00:00 UTC." {...field('validFrom')} />
          <TextInput type="date" label="Last day" description="Leave empty for no end date." {...field('validUntil')} />
        </SimpleGrid>
        <div>
          <Button type="submit" variant="default" loading={busy}>
            Record agreement
          </Button>
        </div>
      </Stack>
    </form>
  );
}
